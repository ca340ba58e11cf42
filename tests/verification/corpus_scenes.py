"""Contact-rich models people have, run by both engines from the same start under the manifest's control, and what is to be seen at the end."""
from __future__ import annotations

import numpy as np

from tests.long.wheels import cache, fetched
from tests.oracle.corpus import CONTROL, REPOSITORY, Entry, ManifestControl, entry
from tests.oracle.states import start
from tests.verification.contact_scenes import Side, energy_vel, sides

KITCHEN = "gymnasium_robotics/gymnasium_robotics/envs/assets/kitchen_franka/kitchen_assets/kitchen_env_model.xml"
SECONDS = {   # of the quick test
    "legacy_particle_expanded": 0.8, "legacy_cloth_expanded": 0.8, "legacy_rope_expanded": 2.0, "legacy_softbox_expanded": 1.5, "cards": 0.3,
    "cube_3x3x3": 1.0, "mug": 2.0, "shadow_hand": 1.0, "agility_cassie": 1.0, "kitchen": 2.0,
}
OURS = {"tests/models/rover.xml": 1.0, "tests/models/cable.xml": 1.0, "tests/models/floats.xml": 1.0, "tests/models/dominoes.xml": 1.0}   # without the corpus, too
HELD = 0.02   # s between looks at the control


def both(name: str) -> tuple[Side, Side, object]:
    """(ours, official, control) of a corpus model, or of the kitchen of a wheel (fetched where it is missing), at its start."""
    if name == "kitchen":
        fetched()
        return *sides(cache() / KITCHEN), lambda time: 0.0
    return _both(entry(name))


def both_of(path: str) -> tuple[Side, Side, object]:
    """(ours, official, control) of a model of ours, given by its path in the repository."""
    return _both(Entry(path, REPOSITORY / path, "4.0.0", "key0" if "<keyframe>" in (REPOSITORY / path).read_text() else "default", CONTROL, {}, 0))


def _both(found: Entry) -> tuple[Side, Side, object]:
    ours, official = sides(found.path)
    start(official.m, official.d, found)
    for field in ("qpos", "qvel", "act", "mocap_pos", "mocap_quat"):
        getattr(ours.d, field)[...] = np.asarray(getattr(official.d, field)).reshape(getattr(ours.d, field).shape)
    return ours, official, ManifestControl(official.m, found.control, found.starts_at_key)


def depth(side: Side) -> float:
    """Depth of the deepest contact of the last step [m]."""
    dist = side.d.contact.dist if side.name == "official" else side.d.contact_dist[:int(side.d.ncon)]
    return float(-np.min(dist, initial=0.0))


def look(side: Side, control, seconds: float) -> dict:
    """Run on; where the centre of all masses is, kinetic energy at the end and at most, contacts, the deepest one of the second half, warnings.

    Two runs of something that hops part in time: at one moment one of them may be in the air.
    """
    most, deep = 0.0, 0.0
    blocks = max(1, round(seconds / HELD))
    for block in range(blocks):
        side.d.ctrl[:] = control(side.d.time)
        side.run(HELD)
        most = max(most, energy_vel(side))
        if 2 * block >= blocks - 1:
            deep = max(deep, depth(side))
    side.forward()
    mass, ncon = np.array(side.m.body_mass), int(side.d.ncon)
    return {"centre": (mass @ np.array(side.d.xipos) / mass.sum()).tolist(), "energy": energy_vel(side), "most": most, "ncon": ncon,
            "deep": deep, "warned": side.warned, "finite": bool(np.isfinite(side.d.qpos).all() and np.isfinite(side.d.qvel).all())}
