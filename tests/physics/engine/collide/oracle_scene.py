"""Our Model and Data filled from the official ones, so that collision is compared on equal inputs."""
from __future__ import annotations

import mujoco
import numpy as np

from physics.compiler.derived.collision_pairs import build_pairs
from physics.engine.collide.collision import collision
from physics.kernels import load
from physics.model.data import Data
from physics.model.model import Model

FLOATS = ("contact_dist", "contact_pos", "contact_frame", "contact_includemargin", "contact_friction", "contact_solref",
          "contact_solreffriction", "contact_solimp", "contact_mu", "contact_adhesion", "contact_surfacevel")
INTS = ("contact_geom", "contact_dim", "contact_exclude", "contact_efc_address")


def ready() -> None:
    """Compile and bind the collision kernels, unless the interpreter runs them."""
    from physics.kernels.decorators import NOJIT

    if not NOJIT:
        load.ensure(["physics.engine.collide.collision"])


def model_like(official: mujoco.MjModel) -> Model:
    """A Model with every field that the official model has under the same name, and its candidate pairs."""
    sizes = {n: int(getattr(official, n)) for n in Model.layout.scalars if n.startswith("n") and hasattr(official, n)}
    model = Model(sizes)
    for name in ("flg_surfacevel", "flg_adhesion"):
        setattr(model, name, int(getattr(official, name)))
    for name, (_offset, kind) in Model.layout.scalars.items():
        if name.startswith("opt_") and hasattr(official.opt, name[4:]):
            setattr(model, name, (float if kind == "f" else int)(getattr(official.opt, name[4:])))
    for name in Model.layout.arrays:
        if name.startswith("opt_"):
            source = getattr(official.opt, name[4:], None)
        else:
            source = getattr(official, name, None)
        if isinstance(source, np.ndarray):
            target = getattr(model, name)
            if source.size == target.size:
                target.reshape(-1)[:] = source.reshape(-1)
    build_pairs(model)
    return model


def place(model: Model, data: Data, official: mujoco.MjData) -> None:
    """Copy the geom poses."""
    data.geom_xpos[:] = official.geom_xpos
    data.geom_xmat[:] = official.geom_xmat


def detect(model: Model, data: Data) -> None:
    """Run the stage as the driver does: grow and repeat while there is no room."""
    for _ in range(4):
        collision(model, data)
        if not data.need_ncon:
            return
        data.grow_contacts(data.need_ncon)
    raise AssertionError("the stage asked for room four times")


def official_contacts(d: mujoco.MjData) -> dict[str, np.ndarray]:
    """The official contact list as arrays under our names."""
    n = d.ncon
    c = d.contact
    if n == 0:
        return {}
    return {name: np.asarray(getattr(c, name.removeprefix("contact_"))).reshape(n, -1) for name in FLOATS + INTS}


def mismatch(model: Model, data: Data, mm: mujoco.MjModel, md: mujoco.MjData, tolerance: float = 1e-10) -> str:
    """'' when our contacts equal the official ones in number, order and every field, else the first difference."""
    place(model, data, md)
    detect(model, data)
    mujoco.mj_collision(mm, md)
    theirs = official_contacts(md)
    n = md.ncon
    if data.ncon != n:
        return f"{data.ncon} contacts instead of {n}: {data.contact_dist[:data.ncon]} instead of {np.ravel(md.contact.dist)}"
    for name in INTS if n else ():
        if not np.array_equal(getattr(data, name)[:n].reshape(n, -1), theirs[name]):
            return f"{name}: {getattr(data, name)[:n].tolist()} instead of {theirs[name].tolist()}"
    for name in FLOATS if n else ():
        mine = getattr(data, name)[:n].reshape(n, -1)
        error = np.abs(mine - theirs[name])
        if not error.max() <= tolerance:
            k = int(np.argmax(error.max(1)))
            return f"{name}[{k}] off by {error.max()}: {mine[k]} instead of {theirs[name][k]}"
    return ""
