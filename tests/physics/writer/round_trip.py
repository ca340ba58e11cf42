"""A model written and compiled again: by us and by the official compiler, what differs from the first time."""
import mujoco

import physics
from physics.model.model import KINDS
from tests.oracle.compare import rel
from tests.oracle.compiled import official_fields
from tests.oracle.names import OFFICIAL_KINDS

# offsets into packed names and paths, and sizes of buffers: not what the model is
PACKED = ("narena", "nbuffer", "nnames", "nnames_map", "npaths", "signature", "names", "paths", "names_map")
TOLERANCE = 1e-9


def _packed(field: str) -> bool:
    return field in PACKED or field.startswith("name_") or field.endswith("pathadr")


def ours_off(one, two) -> dict:
    """{field: rel} of our fields that differ, and 'names' where names do."""
    found = {n: rel(getattr(two, n), getattr(one, n)) for n in one.fields()}
    off = {n: distance for n, distance in found.items() if distance > TOLERANCE}
    if one.names != two.names:
        off["names"] = {kind: (one.names[kind], two.names[kind]) for kind in one.names if one.names[kind] != two.names[kind]}
    return off


def official_off(one, two) -> dict:
    """{field: rel} of official fields that differ."""
    a, b = official_fields(one), official_fields(two)
    found = {n: rel(b.get(n), value) for n, value in a.items() if not _packed(n)}
    off = {n: distance for n, distance in found.items() if distance > TOLERANCE}
    for kind, code in OFFICIAL_KINDS.items():
        sizes = [getattr(m, KINDS[kind][0]) for m in (one, two)]
        names = [[mujoco.mj_id2name(m, code, i) or "" for i in range(n)] for m, n in zip((one, two), sizes)]
        if names[0] != names[1]:
            off[f"names of kind {kind}"] = next(((x, y) for x, y in zip(*names) if x != y), sizes)
    return off


def differences(text: str, files=None) -> dict:
    """{'ours': ..., 'official': ...} of what a model loses when it is written; {} where nothing is."""
    model = physics.load_string(text, files=files)
    again = physics.to_mjcf(model)
    read = physics.load_string(again, files=files)
    assets = {name: data if isinstance(data, bytes) else data.encode() for name, data in (files or {}).items()}
    off = {"ours": ours_off(model, read),
           "official": official_off(*(mujoco.MjModel.from_xml_string(t, assets) for t in (text, again))),
           "text": "" if physics.to_mjcf(read) == again else "the second text differs from the first"}
    return {where: what for where, what in off.items() if what}
