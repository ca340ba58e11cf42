"""Whether we and the official compiler agree on a model given as text: both refuse it, or every field and name is the same."""
import mujoco

from physics import ModelError, load, load_string
from tests.oracle.compiled import compare_compiled

KINDS = (("body", mujoco.mjtObj.mjOBJ_BODY), ("joint", mujoco.mjtObj.mjOBJ_JOINT), ("geom", mujoco.mjtObj.mjOBJ_GEOM), ("site", mujoco.mjtObj.mjOBJ_SITE),
         ("mesh", mujoco.mjtObj.mjOBJ_MESH), ("material", mujoco.mjtObj.mjOBJ_MATERIAL), ("texture", mujoco.mjtObj.mjOBJ_TEXTURE))


def disagreement(text: str | None = None, files=None, path=None) -> dict:
    """{} where both agree, else what differs. files: {name: bytes} of assets in memory; path: of a file instead of a text."""
    refused = {}
    try:
        official = mujoco.MjModel.from_xml_path(str(path)) if path else mujoco.MjModel.from_xml_string(text, files)
    except ValueError as error:
        refused["official"] = str(error)
    try:
        ours = load(path) if path else load_string(text, files=files)
    except ModelError as error:
        refused["ours"] = str(error)
    if refused:
        return refused if len(refused) == 1 else {}
    checked, off = compare_compiled(ours, official)
    assert checked > 300
    for kind, kind_id in KINDS:
        names = tuple(mujoco.mj_id2name(official, kind_id, i) or "" for i in range(len(ours.names[kind])))
        if ours.names[kind] != names:
            off[kind] = (ours.names[kind], names)
    return off


def refused_by_both(text: str) -> bool:
    """Whether neither takes the model."""
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        try:
            load_string(text)
        except ModelError:
            return True
    return False
