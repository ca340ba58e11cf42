"""A model compiled by us and by the official compiler, compared in every field and every name; refusals must agree."""
import mujoco

from physics import ModelError, load, load_string
from tests.oracle.compiled import compare_compiled

# our kind -> official object type
TYPES = {
    "body": "BODY", "joint": "JOINT", "geom": "GEOM", "site": "SITE", "camera": "CAMERA", "light": "LIGHT", "mesh": "MESH", "hfield": "HFIELD",
    "skin": "SKIN", "texture": "TEXTURE", "material": "MATERIAL", "pair": "PAIR", "exclude": "EXCLUDE", "equality": "EQUALITY", "tendon": "TENDON",
    "actuator": "ACTUATOR", "sensor": "SENSOR", "numeric": "NUMERIC", "text": "TEXT", "tuple": "TUPLE", "key": "KEY",
}


def ours(text=None, path=None, files=None):
    """Our Model, or the text of its errors."""
    try:
        return load(str(path)) if path else load_string(text, files=files)
    except ModelError as error:
        return str(error)


def official(text=None, path=None, files=None):
    """The official model, or the text of its error."""
    try:
        if path:
            return mujoco.MjModel.from_xml_path(str(path))
        return mujoco.MjModel.from_xml_string(text, {name: file.encode() if isinstance(file, str) else file for name, file in (files or {}).items()})
    except ValueError as error:
        return str(error)


def names_of(model) -> dict:
    """{kind: names in id order} of an official model."""
    sizes = {"body": "nbody", "joint": "njnt", "camera": "ncam", "light": "nlight", "texture": "ntex", "material": "nmat", "equality": "neq"}
    return {kind: tuple(mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{word}"), i) or "" for i in range(getattr(model, sizes.get(kind, f"n{kind}"))))
            for kind, word in TYPES.items()}


def off(text=None, path=None, files=None, tolerance=1e-9) -> str:
    """'' where both agree, or both refuse; else what differs."""
    a, b = ours(text, path, files), official(text, path, files)
    if isinstance(a, str) or isinstance(b, str):
        return "" if isinstance(a, str) and isinstance(b, str) else f"ours: {a if isinstance(a, str) else 'ok'}; official: {b if isinstance(b, str) else 'ok'}"
    said = [f"{field} off by {value:.3g}" for field, value in compare_compiled(a, b, tolerance)[1].items()]
    said += [f"names of {kind}: {a.names.get(kind, ())[:9]} is not {names[:9]}" for kind, names in names_of(b).items() if tuple(a.names.get(kind, ())) != names]
    return "; ".join(said)


def both_refuse(text=None, path=None, files=None) -> bool:
    """Whether neither compiler takes the model."""
    return isinstance(ours(text, path, files), str) and isinstance(official(text, path, files), str)
