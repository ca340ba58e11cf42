"""Linkwork's physics: reading MJCF, compiling models, and the engine that moves them. Imports no Qt and no OpenGL.

The public names are below; each is imported when it is first used, so that a program starts quickly.
"""
from importlib import import_module
from types import MappingProxyType

_HOMES = MappingProxyType(
    {
        "load": "physics.compiler.compile",
        "load_string": "physics.compiler.compile",
        "compile_root": "physics.compiler.compile",
        "save": "physics.writer.mjcf",
        "to_mjcf": "physics.writer.mjcf",
        "Model": "physics.model",
        "Data": "physics.data",
        "Batch": "physics.data",
        "step": "physics.stepping",
        "forward": "physics.stepping",
        "inverse": "physics.stepping",
        "step1": "physics.stepping",
        "step2": "physics.stepping",
        "compare_fwd_inv": "physics.stepping",
        "reset": "physics.stepping",
        "name2id": "physics.elements",
        "id2name": "physics.elements",
        "jac": "physics.jacobians",
        "jac_body": "physics.jacobians",
        "jac_body_com": "physics.jacobians",
        "jac_geom": "physics.jacobians",
        "jac_site": "physics.jacobians",
        "jac_point_axis": "physics.jacobians",
        "jac_dot": "physics.jacobians",
        "jac_subtree_com": "physics.jacobians",
        "angmom_mat": "physics.jacobians",
        "full_m": "physics.inertia",
        "mul_m": "physics.inertia",
        "solve_m": "physics.inertia",
        "object_velocity": "physics.motion",
        "object_acceleration": "physics.motion",
        "contact_force": "physics.motion",
        "apply_ft": "physics.motion",
        "differentiate_pos": "physics.positions",
        "integrate_pos": "physics.positions",
        "normalize_quat": "physics.positions",
        "state_size": "physics.state",
        "get_state": "physics.state",
        "set_state": "physics.state",
        "extract_state": "physics.state",
        "copy_state": "physics.state",
        "set_keyframe": "physics.state",
        "kinematics": "physics.single_stages",
        "com_pos": "physics.single_stages",
        "com_vel": "physics.single_stages",
        "tendon": "physics.single_stages",
        "transmission": "physics.single_stages",
        "rne": "physics.single_stages",
        "rne_post_constraint": "physics.single_stages",
        "subtree_vel": "physics.single_stages",
        "energy_pos": "physics.single_stages",
        "energy_vel": "physics.single_stages",
        "geom_distance": "physics.distances",
        "ray": "physics.rays",
        "ray_geom": "physics.rays",
        "fwd_position": "physics.stepping",
        "fwd_velocity": "physics.stepping",
        "transition_fd": "physics.differences",
        "known_transition": "physics.differences",
        "inverse_fd": "physics.differences",
        "rollout": "physics.rollouts",
        "faults": "physics.refusals",
        "refusal": "physics.refusals",
        "ensure_kernels": "physics.engine.modules",
        "ensure_engine": "physics.engine.modules",
        "ensure_compiler": "physics.engine.modules",
        "ModelError": "physics.errors",
        "ViewOnlyError": "physics.errors",
        "Issue": "physics.errors",
        "Place": "physics.errors",
    }
)
__all__ = tuple(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        known = "" if name.startswith("__") else import_module("physics.nearest").ours(name, _HOMES)
        raise AttributeError(f"module 'physics' has no attribute {name!r}{known}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value   # found at once the next time
    return value


def __dir__():
    return sorted(_HOMES)
