"""What somebody may have meant who wrote a name that does not exist: the nearest one that does, or ours for the official one."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

# official names whose equal here is called otherwise
OFFICIAL: Mapping[str, str] = MappingProxyType({
    "MjModel": "physics.load(path) or physics.load_string(text)", "MjData": "physics.Data(model)", "MjSpec": "physics.load_string(text): a model is edited as text",
    "mj_loadXML": "physics.load(path)", "mj_loadModel": "physics.load(path) of a .lwb file", "mj_saveModel": "physics.save(model, path)",
    "mj_saveLastXML": "physics.save(model, path)", "mj_makeData": "physics.Data(model)", "mj_copyData": "data.copy_from(other)",
    "mj_resetData": "physics.reset(model, data)", "mj_resetDataKeyframe": "physics.reset(model, data, key)",
    "mj_forwardSkip": "physics.forward(model, data, skipstage)", "mj_inverseSkip": "physics.inverse(model, data, skipstage)",
    "mj_compareFwdInv": "physics.compare_fwd_inv", "mj_multiRay": "physics.rays", "mj_isDual": "nothing: storage is always sparse",
    "mjd_transitionFD": "physics.transition_fd, or physics.transition in closed form", "mjd_inverseFD": "physics.inverse_fd",
    "mjd_subQuat": "the derivative of physics.differentiate_pos",
    "mj_versionString": "importlib.metadata.version('linkwork')", "Renderer": "linkwork.Pictures", "viewer": "the module linkwork: launch, launch_passive",
    "GLContext": "the package render", "MjvScene": "the package render", "MjvCamera": "the package render", "MjvOption": "the package render",
})
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    """jacSubtreeCom -> jac_subtree_com."""
    return _WORDS.sub("_", name).lower()


def closest_name(name: str, names: Iterable[str]) -> str:
    """The name most like this one, '' where none is much like it."""
    from difflib import get_close_matches  # late: only mistakes need it

    known = list(names)
    found = get_close_matches(name, known, 1, 0.7) or [n for n in known if n.endswith("_" + name)][:1]
    return found[0] if found else ""


def hint(name: str, names: Iterable[str]) -> str:
    """'; did you mean ...?' for the end of a message, '' where nothing is near."""
    found = closest_name(name, names)
    return f"; did you mean '{found}'?" if found else ""


def ours(name: str, names: Iterable[str]) -> str:
    """The same for a public name of the package, where scripts of the official bindings bring their own."""
    names = tuple(names)
    if name in OFFICIAL:
        return f"; here it is {OFFICIAL[name]}"
    if name.startswith("mjt"):
        found = [plain for plain in (name[3:], f"{name[3:]}Type", f"{name[3:]}Bit") if plain in names]
        return f"; here it is physics.{found[0]}" if found else "; the enumerations have names such as physics.ObjType"
    if name.startswith("mju_") and snake(name[4:]) in names:
        return f"; here it is physics.{snake(name[4:])}"
    if name.startswith(("mju_", "mjv_", "mjr_")):
        return "; numbers are NumPy's (quaternions: physics.mul_quat and the like), pictures the package render's"
    if name.startswith("set_mjcb_"):
        return "; callbacks belong to a Data: data.set_callback(slot, function)"
    if name.startswith(("mj_", "mjd_")):
        plain = snake(name.partition("_")[2])
        if plain in names:
            return f"; here it is physics.{plain}"
        return hint(plain, names)
    return hint(name, names)
