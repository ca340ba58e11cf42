"""A last look at a finished Model: what was computed from finite numbers must be finite, or no step of it means anything."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.compiler.build import Build
from physics.model.model import Model

# kind of element -> its fields that the compiler computes from several numbers of the file
_COMPUTED = MappingProxyType({
    "body": ("body_mass", "body_inertia", "body_ipos", "body_iquat", "body_pos", "body_quat", "body_invweight0", "body_subtreemass"),
    "geom": ("geom_size", "geom_pos", "geom_quat", "geom_rbound", "geom_aabb"),
    "site": ("site_pos", "site_quat"), "camera": ("cam_pos", "cam_quat", "cam_pos0", "cam_poscom0", "cam_mat0"),
    "light": ("light_pos", "light_dir", "light_pos0", "light_poscom0", "light_dir0"),
    "tendon": ("tendon_length0", "tendon_invweight0"), "hfield": ("hfield_size",),
})
_OF_DOFS = ("dof_M0", "dof_invweight0", "dof_armature", "dof_damping")
_HINT = "Numbers have become too large on the way: look for absurd sizes, masses and positions"


def check_finite(build: Build, model: Model) -> None:
    """Note an error at each element of which a computed number is infinite or none; one is enough for an element."""
    for kind, fields in _COMPUTED.items():
        found: dict[int, str] = {}
        for field in fields:
            values = getattr(model, field)
            if np.isfinite(values).all():
                continue
            for row in np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1)).tolist():
                found.setdefault(row, field)
        for row, field in found.items():
            build.problems.error(build.items[kind][row].element or build.source.root, f"{field} of this {kind} is not finite", _HINT)
    reported = set()
    for field in _OF_DOFS:
        for dof in np.flatnonzero(~np.isfinite(getattr(model, field))).tolist():
            joint = int(model.dof_jntid[dof])
            if joint not in reported:
                reported.add(joint)
                build.problems.error(build.items["joint"][joint].element, f"{field} of this joint is not finite", _HINT)
    for name in ("stat_extent", "stat_meaninertia", "stat_meanmass", "stat_meansize"):
        if not np.isfinite(getattr(model, name)):
            build.problems.error(build.source.root, f"{name} is not finite", _HINT)
