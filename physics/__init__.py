"""Linkwork's physics: reading MJCF, compiling models, and the engine that moves them. Imports no Qt and no OpenGL.

The public names are below; each is imported when it is first used, so that a program starts quickly.
"""
from importlib import import_module
from types import MappingProxyType

# the enumerations of physics.enums, whose members are the numbers in a Model and a Data
ENUMERATIONS = (
    "BiasType", "CamLightMode", "CameraOutput", "ColorSpace", "Cone", "ConstraintState", "ConstraintType", "ContactData", "CtrlChart", "CtrlInput", "DisableBit",
    "DynType", "EnableBit", "Engine", "EqType", "GainType", "GeomType", "Integrator", "Jacobian", "JointType", "LightType", "ObjType", "PerturbBit", "Projection",
    "RayData", "SameFrame", "SensorDataType", "SensorType", "SleepPolicy", "SleepState", "Solver", "SolverVariant", "Stage", "StateBit", "TendonType", "TextureRole",
    "TextureType", "TransmissionType", "WarningType", "WrapType",
)
_HOMES = MappingProxyType(
    {
        "load": "physics.compiler.compile",
        "load_string": "physics.compiler.compile",
        "compile_root": "physics.compiler.compile",
        "provenance": "physics.compiler.provenance",
        "save": "physics.writer.mjcf",
        "to_mjcf": "physics.writer.mjcf",
        "Model": "physics.model.model",
        "Data": "physics.simulate.engines",   # not from its own module alone: a first Data begins asleep only where an engine has told it how
        "Batch": "physics.model.data",
        "step": "physics.simulate.step",
        "forward": "physics.simulate.step",
        "inverse": "physics.simulate.step",
        "step1": "physics.simulate.step",
        "step2": "physics.simulate.step",
        "compare_fwd_inv": "physics.simulate.step",
        "reset": "physics.simulate.step",
        "name2id": "physics.model.element_index",
        "id2name": "physics.model.element_index",
        "jac": "physics.query.jacobian",
        "jac_body": "physics.query.jacobian",
        "jac_body_com": "physics.query.jacobian",
        "jac_geom": "physics.query.jacobian",
        "jac_site": "physics.query.jacobian",
        "jac_point_axis": "physics.query.jacobian",
        "jac_dot": "physics.query.jacobian",
        "jac_subtree_com": "physics.query.jacobian",
        "angmom_mat": "physics.query.jacobian",
        "full_m": "physics.query.mass_matrix",
        "mul_m": "physics.query.mass_matrix",
        "solve_m": "physics.query.mass_matrix",
        "object_velocity": "physics.query.object_motion",
        "object_acceleration": "physics.query.object_motion",
        "contact_force": "physics.query.object_motion",
        "apply_ft": "physics.query.object_motion",
        "differentiate_pos": "physics.query.configuration",
        "integrate_pos": "physics.query.configuration",
        "normalize_quat": "physics.query.configuration",
        "state_size": "physics.simulate.state_vector",
        "get_state": "physics.simulate.state_vector",
        "set_state": "physics.simulate.state_vector",
        "extract_state": "physics.simulate.state_vector",
        "copy_state": "physics.simulate.state_vector",
        "set_keyframe": "physics.simulate.state_vector",
        "kinematics": "physics.simulate.stages",
        "com_pos": "physics.simulate.stages",
        "com_vel": "physics.simulate.stages",
        "tendon": "physics.simulate.stages",
        "transmission": "physics.simulate.stages",
        "rne": "physics.simulate.stages",
        "rne_post_constraint": "physics.simulate.stages",
        "subtree_vel": "physics.simulate.stages",
        "energy_pos": "physics.simulate.stages",
        "energy_vel": "physics.simulate.stages",
        "geom_distance": "physics.query.geom_distance",
        "nearest_points": "physics.query.measure",
        "angle": "physics.query.measure",
        "angle_between": "physics.query.measure",
        "direction": "physics.query.measure",
        "mass_properties": "physics.query.measure",
        "hold_torque": "physics.query.hold_torque",
        "Keyframe": "physics.query.keyframes",
        "blend_keyframes": "physics.query.keyframes",
        "copy_part": "physics.query.keyframes",
        "part_of": "physics.query.keyframes",
        "find_mirror": "physics.query.mirror",
        "mirror_keyframe": "physics.query.mirror",
        "ray": "physics.query.raycast",
        "ray_geom": "physics.query.raycast",
        "rays": "physics.query.raycast",
        "mul_quat": "physics.query.quaternion",
        "neg_quat": "physics.query.quaternion",
        "rot_vec_quat": "physics.query.quaternion",
        "axis_angle2_quat": "physics.query.quaternion",
        "quat2_vel": "physics.query.quaternion",
        "sub_quat": "physics.query.quaternion",
        "quat_integrate": "physics.query.quaternion",
        "quat2_mat": "physics.query.quaternion",
        "mat2_quat": "physics.query.quaternion",
        "euler2_quat": "physics.query.quaternion",
        "fwd_position": "physics.simulate.step",
        "fwd_velocity": "physics.simulate.step",
        "transition_fd": "physics.derivatives.finite_difference",
        "transition": "physics.derivatives.finite_difference",
        "transition_analytic": "physics.derivatives.finite_difference",
        "inverse_fd": "physics.derivatives.finite_difference",
        "rollout": "physics.simulate.rollout",
        "Fleet": "physics.fleet.fleet",
        "trace": "physics.recording.traced_steps",
        "contact_parameters": "physics.diagnostics.contact_parameters",
        "pair_parameters": "physics.diagnostics.contact_parameters",
        "contact_exclusion": "physics.diagnostics.contact_exclusion",
        "contact_state": "physics.diagnostics.contact_state",
        "constraint_rows": "physics.diagnostics.constraint_rows",
        "rows_of": "physics.diagnostics.constraint_rows",
        "effective_mass": "physics.diagnostics.constraint_rows",
        "constraint_parameters": "physics.diagnostics.constraint_parameters",
        "torque_balance": "physics.diagnostics.torque_balance",
        "present_balance": "physics.diagnostics.torque_balance",
        "joint_dofs": "physics.diagnostics.torque_balance",
        "solver_trace": "physics.pipeline.solver_trace",
        "cost_landscape": "physics.pipeline.cost_landscape",
        "advise": "physics.diagnostics.advice.advisor",
        "lint_model": "physics.lint.lint",
        "walk": "physics.pipeline.walk",
        "step_until_divergence": "physics.recording.last_steps",
        "PostMortem": "physics.diagnostics.divergence.report",
        "ExpressionError": "physics.quantities.syntax",
        "warnings": "physics.simulate.warnings",
        "step_error": "physics.simulate.warnings",
        "compile_kernels": "physics.warm_up",
        "ensure_engine": "physics.simulate.warm_up",
        "ensure_hard": "physics.simulate.warm_up",
        "ensure_compiler": "physics.compiler.native",
        "solve_ik": "physics.inverse_kinematics.solve",
        "IKSolver": "physics.inverse_kinematics.solve",
        "IKTarget": "physics.inverse_kinematics.problem",
        "IKOptions": "physics.inverse_kinematics.problem",
        "IKResult": "physics.inverse_kinematics.problem",
        "ModelError": "physics.errors",
        "ViewOnlyError": "physics.errors",
        "FieldError": "physics.errors",
        "Issue": "physics.errors",
        "Place": "physics.errors",
        **dict.fromkeys(ENUMERATIONS, "physics.enums"),
    }
)
# names of before, which go on working
_ALIASES = MappingProxyType({"faults": "warnings", "refusal": "step_error", "known_transition": "transition_analytic", "ensure_kernels": "compile_kernels"})
_PACKAGES = MappingProxyType({"hard": "physics.hard", "optimise": "physics.optimise"})   # with public names of their own
__all__ = tuple(_HOMES)


def __getattr__(name):
    if name in _ALIASES:
        return __getattr__(_ALIASES[name])
    if name in _PACKAGES:
        return import_module(_PACKAGES[name])
    if name not in _HOMES:
        known = "" if name.startswith("__") else import_module("physics.name_hints").ours(name, _HOMES)
        raise AttributeError(f"module 'physics' has no attribute {name!r}{known}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value   # found at once the next time
    return value


def __dir__():
    return sorted(_HOMES)
