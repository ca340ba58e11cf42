"""Contacts: friction cones with the force in them, and torques.

A contact holds while its force stays in the cone of what its normal force allows: of elliptic contacts the norm of the tangential
force and torques, each over its coefficient of friction, of pyramidal ones the sum of their sizes. The cone that is drawn is the
cut for sliding; where spin or rolling friction take a share, a ring shows what they leave.

Source: MuJoCo documentation, chapter Computation, "Friction cones".
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.bridge.layers.connect import triangles
from app.bridge.quantities.canvas import FILL_GLOW, QuantityCanvas
from app.bridge.quantities.marks import mixed
from app.bridge.quantities.scales import magnitudes
from physics.enums import CNSTR_CONTACT_PYRAMIDAL
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

SIDES = 20               # of a cone's rim, a multiple of 4
CONE = (0.55, 0.75, 1.0, 0.09)
TALLEST = 0.7            # of the usual length of arrows: higher cones are cut off there
INSIDE, ON = (0.2, 0.9, 0.35, 1.0), (1.0, 0.15, 0.1, 1.0)
TORQUE = (1.0, 0.55, 0.9, 1.0)
SLIPS = 0.99             # of the cone: from here on a force lies on it
RIM = 1.5                # pixels


class Cones(NamedTuple):
    """Cones of active contacts with friction: contact numbers (n,), apexes and mouths' centres (n, 3) [m], rims (n, SIDES, 3),
    share of friction in use (n,), share of the rim that spin and rolling leave (n,)."""

    contact: np.ndarray
    apex: np.ndarray
    mouth: np.ndarray
    rim: np.ndarray
    use: np.ndarray
    left: np.ndarray


def signs(m: Model, snapshot: Snapshot) -> np.ndarray:
    """1 where a contact's force is drawn on geom 2's body, -1 where on geom 1's: the one with the higher number, as officially."""
    bodies = m.geom_bodyid[snapshot.contact_geom]
    return np.where(bodies[:, 0] > bodies[:, 1], -1.0, 1.0)


def shares(force, mu, dim, normal, pyramidal) -> tuple[np.ndarray, np.ndarray]:
    """Share of friction in use, and the share that spin and rolling leave to sliding (n, each).

    force (n, 6) in the contact's frame, mu (n, 5) coefficients, dim (n,) 3, 4 or 6, normal (n,) the force that presses.
    """
    counts = np.arange(5) < dim[:, None] - 1
    part = np.where(counts, np.abs(force[:, 1:]) / np.maximum(mu * normal[:, None], 1e-300), 0.0)
    turning = part[:, 2:]
    use = np.where(pyramidal, part.sum(axis=1), np.sqrt((part**2).sum(axis=1)))
    left = np.where(pyramidal, 1 - turning.sum(axis=1), np.sqrt(np.maximum(0, 1 - (turning**2).sum(axis=1))))
    return use, np.clip(left, 0, 1)


def unit_rims(pyramidal) -> np.ndarray:
    """Points (n, SIDES, 2) around a circle, or around the square that stands on its corner."""
    angle = np.arange(SIDES) * 2 * np.pi / SIDES
    round_ = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.where(pyramidal[:, None, None], round_ / np.abs(round_).sum(axis=1, keepdims=True), round_)


def friction_cones(m: Model, snapshot: Snapshot, metres: float, tallest: float = np.inf) -> Cones:
    """Cones of all active contacts with friction. metres: per newton; tallest: height from which on a cone is cut off [m]."""
    s = snapshot
    active = np.flatnonzero((s.contact_efc_address >= 0) & (s.contact_dim >= 3))
    pressed = s.contact_force[active, 0] + s.contact_adhesion[active]
    ids = active[pressed > 1e-9]
    normal = pressed[pressed > 1e-9]
    force, mu = s.contact_force[ids], s.contact_friction[ids]
    pyramidal = s.efc_type[s.contact_efc_address[ids]] == CNSTR_CONTACT_PYRAMIDAL
    use, left = shares(force, mu, s.contact_dim[ids], normal, pyramidal)
    frame = s.contact_frame[ids].reshape(-1, 3, 3)
    towards = signs(m, s)[ids, None] * metres
    apex = s.contact_pos[ids] - towards * s.contact_adhesion[ids, None] * frame[:, 0]
    height = np.minimum(normal * metres, tallest)[:, None]
    mouth = apex + np.sign(towards) * height * frame[:, 0]
    flat = unit_rims(pyramidal) * (mu[:, :2] * height)[:, None]
    rim = mouth[:, None] + np.einsum("nkj,nji->nki", flat, frame[:, 1:])
    return Cones(ids, apex, mouth, rim, use, left)


def _ring(lines, points, rgba, contact) -> None:
    """Closed rings of points (n, SIDES, 3)."""
    after = np.roll(points, -1, axis=1)
    lines.put(points.reshape(-1, 3), after.reshape(-1, 3), np.repeat(rgba, SIDES, axis=0), RIM, objtype=shapes.OBJ_CONTACT, objid=np.repeat(contact, SIDES))


def add_friction_cones(m: Model, snapshot: Snapshot, options, draw: QuantityCanvas) -> None:
    """Cones with their rims, and the forces in them: green inside, red on the cone."""
    if not snapshot.ncon:
        return
    cones = friction_cones(m, snapshot, draw.scale("force").metres, TALLEST * magnitudes(m).length)
    n = len(cones.contact)
    if not n:
        return
    lines = draw.out.lines
    rgba = mixed(INSIDE, ON, np.where(cones.use >= SLIPS, 1.0, 0.6 * cones.use))
    after = np.roll(cones.rim, -1, axis=1)
    corners = np.stack([np.broadcast_to(cones.apex[:, None], cones.rim.shape), cones.rim, after], axis=2).reshape(-1, 3, 3)
    triangles(draw.out.geoms, corners, CONE, glow=FILL_GLOW, objtype=shapes.OBJ_CONTACT, objid=np.repeat(cones.contact, SIDES))
    _ring(lines, cones.rim, rgba, cones.contact)
    some = cones.left < SLIPS
    if some.any():
        _ring(lines, (cones.mouth[:, None] + cones.left[:, None, None] * (cones.rim - cones.mouth[:, None]))[some], rgba[some], cones.contact[some])
    frame = snapshot.contact_frame[cones.contact].reshape(-1, 3, 3)
    whole = np.einsum("nk,nkj->nj", snapshot.contact_force[cones.contact, :3], frame) * signs(m, snapshot)[cones.contact, None]
    draw.arrows("force", snapshot.contact_pos[cones.contact], whole, rgba, objtype=shapes.OBJ_CONTACT, objid=cones.contact)


def friction_cone_legend(m: Model, options, draw: QuantityCanvas) -> None:
    """The cone, and both colours of its force."""
    draw.legend("Friction cone", (*CONE[:3], 0.6), note="mouth: normal force; inner ring: left by turning")
    draw.legend("Force inside it", INSIDE, "force")
    draw.legend("Force on it (slips)", ON, "force")


def add_contact_torques(m: Model, snapshot: Snapshot, options, draw: QuantityCanvas) -> None:
    """Arcs for the torques of contacts with spin or rolling friction."""
    ids = np.flatnonzero((snapshot.contact_efc_address >= 0) & (snapshot.contact_dim > 3))
    if not len(ids):
        return
    frame = snapshot.contact_frame[ids].reshape(-1, 3, 3)
    torque = np.einsum("nk,nkj->nj", snapshot.contact_force[ids, 3:], frame) * signs(m, snapshot)[ids, None]
    draw.spins("contact torque", snapshot.contact_pos[ids], torque, TORQUE, objtype=shapes.OBJ_CONTACT, objid=ids)


def contact_torque_legend(m: Model, options, draw: QuantityCanvas) -> None:
    """Its scale; a word where no contact of the model can have one."""
    none = not (m.geom_condim > 3).any() and not (m.npair and (m.pair_dim > 3).any())
    draw.legend("Contact torque", TORQUE, *() if none else ("contact torque",), note="no contact here can have any" if none else "")
