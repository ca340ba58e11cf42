"""Compiling a MjSpec, and compiling it again with the state of a simulation kept."""
from __future__ import annotations

import io
import os
import re
import time
import warnings
from pathlib import PurePath

import numpy as np
from PIL import Image

import physics
from physics.compiler.compile import compile_root
from physics.mjcf.check import check_tree
from physics.mjcf.include import TextSource
from physics.mjcf.reader import ReadResult

from .. import loading
from ..missing import NotHereError, text_of
from . import bodies, model_spec
from .fields import ENUMS
from .mjcf.keyframes import rows
from .vfs import files_of
from .mjcf.write_outside import sections
from .mjcf.write_settings import settings_elements
from .mjcf.writing import CompileError, Writer, named

_BODIES = tuple([kind for kind in bodies.KINDS if kind != "frame"])
# what our compiler says -> what scripts look for
_SAYINGS = ((re.compile(r"needs a positive size|size.* must be positive", re.I), "size 0 must be positive in geom"),)


class Assets:
    """Files of a compile: those in memory, under names of their own, and the paths of those on the disk."""

    def __init__(self, spec, held):
        self.spec, self.held, self.files = spec, held, {}

    def __call__(self, mine, field: str, name: str) -> str:
        """What an element's file is called in the tree."""
        if field == "data":
            return self.keep("pixels.png", _picture(mine._values))
        origin = mine._origin
        compiler = mine.compiler
        folder = compiler.texturedir if mine.KIND == "texture" else compiler.meshdir
        name = PurePath(name).name if origin.strippath else name
        for held in (origin._assets, origin.__dict__.get("_held", {}), self.spec._assets, self.held):
            found = self.find(held, folder, name)
            if found is not None:
                return self.keep(PurePath(name).name, found if isinstance(found, bytes | str) else bytes(found))
        path = name if os.path.isabs(name) else os.path.join(origin.modelfiledir, folder, name)
        return os.path.abspath(path)

    def find(self, held, folder: str, name: str):
        """A file's content by name, with its folder, or by the last part of its name."""
        for key in (name, os.path.join(folder, name), os.path.normpath(os.path.join(folder, name))):
            if key in held:
                return held[key]
        last = PurePath(name).name
        return next((data for key, data in held.items() if PurePath(key).name == last), None)

    def keep(self, name: str, data) -> str:
        """A name for a content."""
        path = f"{len(self.files)}/{name}"
        self.files[path] = data
        return path


def _picture(values: dict) -> bytes:
    """The pixels of a texture as PNG."""
    width, height, channels = values["width"], values["height"], values["nchannel"]
    data = np.frombuffer(values["data"], np.uint8)
    if data.size != width * height * channels:
        raise ValueError(f"Error: texture data has {data.size} bytes, not width*height*nchannel")
    out = io.BytesIO()
    Image.fromarray(data.reshape((height, width, channels) if channels > 1 else (height, width))).save(out, "PNG")
    return out.getvalue()


def tree_of(spec, held):
    """(reading to compile, elements by line)."""
    if spec._outside["flex"]:
        raise NotHereError(text_of("MjSpec.compile with flexes"))
    assets = Assets(spec, held)
    write = Writer(spec, file_of=assets)
    settings = settings_elements(write)
    world = write.element("worldbody", {}, write.in_body(spec._world, "main"))
    root = write.element("mujoco", {"model": spec.modelname}, [*settings, world, *sections(write)])
    result = ReadResult(root, main="", source=TextSource(None, assets.files))
    result.issues.extend(check_tree(root, True))
    return result, write.elements


def inner_model(spec, vfs=None) -> physics.Model:
    """The Model of ours. Raises ValueError, which names the element."""
    loading.ready()
    held = files_of(vfs)
    for kind in (*_BODIES, *model_spec.OUTSIDE):    # so that what is wrong can be told by number
        for k, one in enumerate(getattr(spec, _list_name(kind))):
            one.__dict__["_id"] = k
    result, elements = tree_of(spec, held)
    try:
        return compile_root(result)
    except physics.ModelError as error:
        raise ValueError(_said(error, elements)) from None


def _said(error: physics.ModelError, elements: list) -> str:
    """All that is wrong, each with its element."""
    lines = []
    for issue in error.issues:
        if issue.severity != "error":
            continue
        mine = elements[issue.place.line] if issue.place and 0 < issue.place.line < len(elements) else None
        what = next((told for pattern, told in _SAYINGS if mine is not None and mine.KIND == "geom" and pattern.search(issue.what)), issue.what)
        lines.append(f"Error: {what}\n{named(mine)}" if mine is not None else f"Error: {what}")
    return "\n".join(lines) or str(error)


def _list_name(kind: str) -> str:
    return bodies.LISTS.get(kind) or model_spec.LISTS[kind]


def compiled(spec, vfs=None):
    """A MjModel. Raises ValueError, which names the element."""
    from ..model import MjModel  # late: a circle, since MjModel.bind looks at elements

    begun = time.perf_counter()
    model = MjModel._of(inner_model(spec, vfs))
    number(spec, model._inner)
    spec.__dict__["_signature"] = model.signature
    spec._timer[:] = 0
    spec._timer[:3] = time.perf_counter() - begun
    for said in spec._warnings:
        warnings.warn(said, UserWarning, stacklevel=3)
    return model


def number(spec, m: physics.Model) -> None:
    """Give all elements their numbers in a Model; -1 to those that the compiler has left out."""
    for kind in (*_BODIES, *model_spec.OUTSIDE):
        names = m.names.get(kind)
        found = getattr(spec, _list_name(kind))
        if names is None:
            continue
        together = len(found) == len(names)
        for k, one in enumerate(found):
            place = k if together and (not one.name or names[k] == one.name) else m.id(kind, one.name) if one.name else -1
            one.__dict__["_id"] = place


def _state_rows(spec, m) -> dict:
    """Where the state of each element is in a Data: {(element, field): slice}."""
    found = {}
    for joint in spec.joints:
        i = joint._id
        widths = rows_of(joint)
        for name, address, width in (("qpos", m.jnt_qposadr, widths[0]), ("qvel", m.jnt_dofadr, widths[1]), ("qacc_warmstart", m.jnt_dofadr, widths[1])):
            if 0 <= i < m.njnt:
                found[joint, name] = slice(int(address[i]), int(address[i]) + width)
    for one in spec._outside["actuator"]:
        i = one._id
        if 0 <= i < len(m.actuator_ctrladr):
            found[one, "ctrl"] = slice(int(m.actuator_ctrladr[i]), int(m.actuator_ctrladr[i] + m.actuator_ctrlnum[i]))
            found[one, "act"] = slice(int(m.actuator_actadr[i]), int(m.actuator_actadr[i] + m.actuator_actnum[i])) if m.actuator_actnum[i] else slice(0, 0)
    for body, _width in rows(spec, "mpos"):
        i = int(m.body_mocapid[body._id]) if 0 <= body._id < m.nbody else -1
        if i >= 0:
            found[body, "mocap_pos"] = found[body, "mocap_quat"] = slice(i, i + 1)
    return found


def rows_of(joint) -> tuple[int, int]:
    """How many numbers of qpos and qvel a joint has."""
    return {0: (7, 6), 1: (4, 3)}.get(joint._values["type"], (1, 1))


def recompiled(spec, m, d, vfs=None):
    """(MjModel, MjData) with the state of d, each joint, actuator and mocap body its own. Raises ValueError."""
    from ..data import MjData  # late: as above

    if spec._assets and vfs is not None:
        raise ValueError("cannot use both spec.assets and a vfs")
    before = _state_rows(spec, m._inner)
    model = compiled(spec, vfs)
    data = MjData(model)
    old, new = d._inner, data._inner
    new.time = old.time
    for key, place in _state_rows(spec, model._inner).items():
        known = before.get(key)
        if known is not None and known.stop - known.start == place.stop - place.start:
            getattr(new, key[1])[place] = getattr(old, key[1])[known]
    return model, data


def adopt_inertial(spec, body, vfs=None) -> None:
    """Write a body's compiled inertia into its fields. Raises ValueError."""
    if spec.compiler.inertiafromgeom == ENUMS["mjtInertiaFromGeom"].mjINERTIAFROMGEOM_TRUE:
        raise ValueError("Error: cannot adopt the inertia of a body under inertiafromgeom='true'")
    m = inner_model(spec, vfs)
    number(spec, m)
    i = body.id
    if i < 0:
        raise CompileError("the body is not in the compiled model", body)
    body.mass, body.inertia, body.ipos, body.iquat = float(m.body_mass[i]), m.body_inertia[i], m.body_ipos[i], m.body_iquat[i]
    body.ialt.type = 0
    body.fullinertia[0] = np.nan
    body.explicitinertial = True
