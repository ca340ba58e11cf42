"""mj_*: functions about models and whole Data, texts, files, the process's callbacks. They take MjModel and MjData themselves."""
from __future__ import annotations

import numpy as np

import physics
from physics.enums import ObjType
from physics.mjcf.reader import read
from physics.model.initial_state import start_controls
from physics.model.state_fields import load_keyframe
from physics.schema.schema import paths
from physics.writer import dump
from physics.writer.mjcf import to_mjcf

from .. import loading
from ..data_structs import MjLROpt
from ..errors import FatalError
from ..generation import NUMBER, VERSION
from ..hooks import HOOKS, check_callable
from ..missing import NotHereError, text_of
from ..model_structs import MjOption, MjVisual
from .set_const import set_const

_WORDS = tuple(t.name.lower() for t in ObjType)


def mj_resetData(m, d):
    """The initial state."""
    d._hook()
    if d._inner.model is not m._inner:
        d._belong(m)
    physics.reset(m._inner, d._inner)


def mj_resetDataDebug(m, d, debug_value):
    """The initial state; the value is for arrays that are not computed yet, which here are 0."""
    mj_resetData(m, d)


def mj_resetDataKeyframe(m, d, key):
    """The initial state, and on it a keyframe where there is one of that number."""
    mj_resetData(m, d)
    if 0 <= key < m._inner.nkey:
        load_keyframe(m._inner, d._inner, int(key))


def mj_resetCtrl(m, d):
    """The controls of the initial state."""
    d._inner.ctrl[:] = start_controls(m._inner)


def mj_copyData(dest, m, src):
    """Make one Data as another; both of the model m, or of equal ones."""
    dest._inner.copy_fields(src._inner)
    return dest


def mj_name2id(m, type, name):
    """Number of an element, -1 where there is none of that name or kind."""
    try:
        return physics.name2id(m._inner, int(type), name)
    except (KeyError, ValueError):
        return -1


def mj_id2name(m, type, id):
    """Name of an element, None where it has none."""
    try:
        return physics.id2name(m._inner, int(type), int(id))
    except (KeyError, ValueError):
        return None


def mj_setConst(m, d):
    """Constants of the initial pose, from what was written into the model."""
    d._hook()
    if d._inner.model is not m._inner:
        d._belong(m)
    set_const(m._inner, d._inner)


def mj_getTotalmass(m):
    """Mass of all bodies."""
    return float(m._inner.body_mass.sum())


def mj_setTotalmass(m, newmass):
    """All masses and inertias by one factor."""
    inner = m._inner
    factor = max(1e-15, newmass / max(1e-15, float(inner.body_mass.sum())))
    inner.body_mass[:] *= factor
    inner.body_inertia[:] *= factor


def mj_version():
    """Number of the interface's version."""
    return NUMBER


def mj_versionString():
    """Return the current version of MuJoCo as a null-terminated string."""
    return VERSION


def mj_sizeModel(m):
    """Bytes that mj_saveModel writes."""
    return len(loading.to_binary(m._settled()))


def mj_saveModel(m, filename=None, buffer=None):
    """The compiled model (.lwb) into a file, or a buffer of at least mj_sizeModel bytes."""
    data = loading.to_binary(m._settled())
    if buffer is not None:
        if buffer.size < len(data):
            raise FatalError("mj_saveModel: buffer too small")
        buffer.reshape(-1)[:len(data)] = np.frombuffer(data, np.uint8)
    if filename:
        with open(filename, "wb") as file:
            file.write(data)


def mj_saveLastXML(filename, m):
    """The model as MJCF, with what was written into it since."""
    with open(filename, "w", encoding="utf-8") as file:
        file.write(to_mjcf(m._settled()))


def mj_printModel(m, filename):
    """All fields as text."""
    with open(filename, "w", encoding="utf-8") as file:
        file.write(dump.dump_model(m._settled(), True))


def mj_printData(m, d, filename):
    """All fields as text."""
    with open(filename, "w", encoding="utf-8") as file:
        file.write(dump.dump_data(d._inner, True))


def mj_printSchema(flg_html, flg_pad):
    """The elements of MJCF, a line each."""
    lines = ["&nbsp;" * 2 * path.count("/") + path.rpartition("/")[2] if flg_html and flg_pad else "  " * path.count("/") + path.rpartition("/")[2] for path in paths()]
    return ("<br>\n" if flg_html else "\n").join(["mujoco", *lines])


def mj_loadTexture(m, id):
    """A copy of a texture's pixels, and its color space."""
    if not 0 <= id < m._inner.ntex:
        raise ValueError(f"mj_loadTexture: texture id {id} out of range")
    return np.array(m.texture(int(id)).data), int(m._inner.tex_colorspace[id])


def mj_embedAssets(m):
    """A copy: models here always hold their assets."""
    return m.__copy__()


def mj_defaultOption(opt):
    """Options as a new struct has them."""
    opt.take(MjOption())


def mj_defaultVisual(vis):
    """Picture settings as a new struct has them."""
    vis.take(MjVisual())


def mj_defaultLROpt(opt):
    """Options of length ranges as the official function sets them."""
    opt.take(MjLROpt())


def mj_defaultSolRefImp(solref, solimp):
    """The default reference and impedance of constraints."""
    for array, values in ((solref, MjOption.FIELDS["o_solref"]), (solimp, MjOption.FIELDS["o_solimp"])):
        if array is None:
            continue
        if not isinstance(array, np.ndarray) or array.shape != values.shape:
            raise TypeError(f"mj_defaultSolRefImp: needs an array of {len(values)} numbers")
        array[:] = values


def mj_loadPluginLibrary(path):
    """There are no plugins."""
    raise NotHereError(text_of("mj_loadPluginLibrary"))


def mj_loadAllPluginLibraries(directory):
    """Nothing: there are no plugins."""


def mju_str2Type(str):
    """Number of a kind of elements, 0 for no such word."""
    word = str.decode() if isinstance(str, bytes) else str
    return next((int(t) for t in ObjType if t.name.lower() == word), 0)


def mju_type2Str(type):
    """Word for a kind of elements, None where there is none."""
    return next((t.name.lower() for t in ObjType if t == type and t), None)


def mju_warningText(warning, info):
    """What a kind of warning says."""
    return f"{physics.warnings and physics.WarningType(warning).name} ({info})"


def mju_writeLog(type, msg):
    """A line on the error stream."""
    HOOKS.warn(f"{type}: {msg}")


def mju_threadpool(d, nthread):
    """A number that says so (d.threadpool); a step takes one thread here."""
    d.__dict__["_threads"] = max(0, int(nthread))


def mju_printMat(mat):
    """A matrix on the output."""
    print(np.array2string(np.asarray(mat)))


def mju_getXMLDependencies(filename):
    """Files that a model is read from, itself first."""
    found = read(filename)
    return [str(name).replace("\\", "/") for name in found.sources]


def mj_resetCallbacks():
    """Take all callbacks out."""
    HOOKS.clear()


def set_mju_user_warning(arg0):
    """Who is told of warnings; None: the error stream."""
    check_callable(arg0)
    HOOKS.told = arg0


def get_mju_user_warning():
    """Who is told of warnings."""
    return HOOKS.told


def set_mjcb_time(arg0):
    """The clock of timers; None: the computer's."""
    check_callable(arg0)
    HOOKS.clock = arg0


def get_mjcb_time():
    """The clock of timers, None for the computer's."""
    return HOOKS.clock


def _setter(slot: str):
    def put(arg0):
        HOOKS.set(slot, arg0)

    return put


def _getter(slot: str):
    def get():
        return HOOKS.get(slot)

    return get


def callback_functions() -> dict:
    """set_mjcb_* and get_mjcb_* of all slots."""
    found = {}
    for slot in ("control", "passive", "sensor", "contactfilter", "act_dyn", "act_gain", "act_bias"):
        for name, function in ((f"set_mjcb_{slot}", _setter(f"cb_{slot}")), (f"get_mjcb_{slot}", _getter(f"cb_{slot}"))):
            function.__name__ = function.__qualname__ = name
            found[name] = function
    return found


FUNCTIONS = (
    mj_resetData, mj_resetDataDebug, mj_resetDataKeyframe, mj_resetCtrl, mj_copyData, mj_name2id, mj_id2name, mj_setConst, mj_getTotalmass, mj_setTotalmass, mj_version,
    mj_versionString, mj_sizeModel, mj_saveModel, mj_saveLastXML, mj_printModel, mj_printData, mj_printSchema, mj_loadTexture, mj_embedAssets, mj_defaultOption, mj_defaultVisual,
    mj_defaultLROpt, mj_defaultSolRefImp, mj_loadPluginLibrary, mj_loadAllPluginLibraries, mju_str2Type, mju_type2Str, mju_warningText, mju_writeLog, mju_threadpool, mju_printMat,
    mju_getXMLDependencies, mj_resetCallbacks, set_mju_user_warning, get_mju_user_warning, set_mjcb_time, get_mjcb_time,
)
