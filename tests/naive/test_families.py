"""Every family of kernels has a plain twin in this folder, or says what stands in for it; and every one runs under the interpreter.

A new module of kernels needs a row here. NAME::test is a test in this folder, a path one from tests/.
"""
import ast
from pathlib import Path

import pytest

from physics.simulate.warm_up import ENGINE

TESTS = Path(__file__).resolve().parents[1]
SMOOTH, SENSORS, ROWS, COST, ACTUATORS, IMPLICIT = (f"naive/test_{n}_twins.py" for n in ("smooth", "sensor", "row", "constraint", "actuator", "implicit"))
DETECTORS = "naive/test_detector_twins.py"
CONTACTS, FLUIDS, QUESTIONS, SCENES = "naive/test_contact_twins.py", "naive/test_fluid_twins.py", "naive/test_question_twins.py", "physics/engine/collide/test_scenes.py"
EVERYTHING = "physics/test_everything.py::test_everything_is_as_officially"   # runs under the interpreter with all integrators
# module -> (the test that holds it against a plain twin, the one that runs it under the interpreter where that is another)
FAMILIES = {
    "forward": (f"{SMOOTH}::test_implicit_steps_solve_their_linear_system",), "smooth_acceleration": (f"{SMOOTH}::test_implicit_steps_solve_their_linear_system",),
    "kinematics.kinematics": (f"{SMOOTH}::test_poses",),
    "kinematics.com": (f"{SMOOTH}::test_velocities",),
    "tendon.tendon": ("naive/test_strings.py::test_wrapped_strings",), "inertia.mass_matrix": (f"{SMOOTH}::test_inertia_factor_and_products",),
    "inertia.rne": (f"{SMOOTH}::test_bias",),
    "actuator.transmission": ("naive/test_transmission_twins.py::test_lengths_moments_and_speeds",), "passive.passive": (f"{SMOOTH}::test_springs_and_dampers",),
    "passive.fluid": (f"{FLUIDS}::test_forces",), "passive.gravity_compensation": (f"{FLUIDS}::test_forces",), "integrator.fluid_derivative": (f"{FLUIDS}::test_derivatives",),
    "inertia.articulated_body": ("physics/engine/inertia/test_articulated_body.py::test_accelerations_solve_the_full_matrix",),
    "actuator.muscle": (f"{ACTUATORS}::test_muscles",), "actuator.servo": (f"{ACTUATORS}::test_pid_servos",), "actuator.dcmotor": (f"{ACTUATORS}::test_motors",),
    "actuator.delay_history": (f"{ACTUATORS}::test_kept_controls_at_any_times",), "actuator.activation": (f"{SMOOTH}::test_actuators",),
    "actuator.actuation": (f"{SMOOTH}::test_actuators",),
    "inertia.energy": (f"{SMOOTH}::test_springs_and_dampers",), "kinematics.subtree": ("naive/test_sensing_twins.py::test_subtrees_and_reactions",),
    "inertia.rne_post_constraint": ("naive/test_sensing_twins.py::test_subtrees_and_reactions",), "integrator.derivative": (f"{SMOOTH}::test_velocity_derivative",),
    "actuator.velocity_derivative": (f"{SMOOTH}::test_velocity_derivative",), "integrator.rne_derivative": (f"{IMPLICIT}::test_implicit_solves_its_linear_system",),
    "integrator.implicit": (f"{IMPLICIT}::test_implicit_solves_its_linear_system",),
    "integrator.integrate": (f"{SMOOTH}::test_runge_kutta_on_scalar_joints_is_the_textbook_method",),
    "inverse": ("naive/test_inverse_twin.py::test_inverse",), "integrator.discrete": (f"{IMPLICIT}::test_discrete_is_one_optimum_in_its_effective_mass", EVERYTHING),
    "actuator.length_derivative": (f"{IMPLICIT}::test_discrete_is_one_optimum_in_its_effective_mass", EVERYTHING),
    "solve.effective_mass_rows": (f"{IMPLICIT}::test_discrete_is_one_optimum_in_its_effective_mass", EVERYTHING),
    **{f"sleep.{name}": ("naive/test_sleep_twins.py::test_who_sleeps",) for name in ("awake", "fall_asleep", "wake", "state", "initial_sleep")},
    "collide.asleep_pairs": ("naive/test_sleep_twins.py::test_who_sleeps",),
    # contacts and constraints
    "collide.broad_phase": (f"{SCENES}::test_candidates_are_all_pairs_in_reach", f"{SCENES}::test_pile_under_the_interpreter"),
    "collide.explicit_pairs": ("physics/engine/collide/test_explicit_pairs.py::test_random_scenes_with_pairs",
                               "physics/engine/collide/test_explicit_pairs.py::test_pairs_under_the_interpreter"),
    "collide.sap_proxies": ("physics/engine/collide/test_sap_proxies.py::test_contacts_of_bundles_are_the_official_ones",
                       "physics/engine/collide/test_sap_proxies.py::test_bundles_under_the_interpreter"),
    "collide.sap_grid": ("physics/engine/collide/test_sap_grid.py::test_columns_find_what_going_through_all_finds",
                        "physics/engine/collide/test_sap_grid.py::test_columns_under_the_interpreter"),
    "collide.pair_table": ("physics/engine/collide/test_pair_table.py::test_every_pair_of_types_calls_the_routine_of_its_row", f"{SCENES}::test_pile_under_the_interpreter"),
    "collide.plane": (f"{CONTACTS}::test_contacts_of_shapes_apart", f"{SCENES}::test_pile_under_the_interpreter"),
    "collide.sphere_capsule": (f"{CONTACTS}::test_contacts_of_shapes_apart",),
    "collide.box": (f"{CONTACTS}::test_contacts_of_shapes_apart", f"{SCENES}::test_pile_under_the_interpreter"),
    "collide.box_box": ("physics/engine/collide/test_routines.py::test_box_box_depth_is_the_largest_separation", f"{SCENES}::test_pile_under_the_interpreter"),
    "collide.plane_mesh": ("physics/engine/collide/test_plane_mesh.py::test_points_are_those_of_the_definition",
                           "physics/engine/collide/test_plane_mesh.py::test_routine_runs_under_the_interpreter"),
    **{f"collide.convex.{name}": ("physics/engine/collide/convex/test_curved.py::test_distance_is_right",
                                  "physics/engine/collide/convex/test_curved.py::test_all_shapes_under_the_interpreter")
       for name in ("shapes", "support", "gjk", "epa", "normal_refinement", "separating_axis_cache", "ccd")},
    "collide.distance": ("physics/engine/collide/test_distance.py::test_a_distance_of_shapes_under_the_interpreter", f"{DETECTORS}::test_distances"),
    "collide.hfield": ("physics/engine/collide/test_hfield.py::test_no_direction_shows_more_room",
                       "physics/engine/collide/test_hfield.py::test_height_fields_under_the_interpreter"),
    **{f"collide.convex.{name}": ("naive/test_face_twins.py::test_patches_are_overlaps_of_faces", "naive/test_face_twins.py::test_patches_under_the_interpreter")
       for name in ("faces", "clip", "multicontact")},
    "collide.contact": (f"{CONTACTS}::test_contacts_of_shapes_apart",), "collide.collision": (f"{CONTACTS}::test_contacts_of_shapes_apart",),
    "constraint.distance_row": ("physics/engine/constraint/test_distance_row.py::test_the_jacobian_is_the_slope_of_the_distance",
                                "physics/engine/constraint/test_distance_row.py::test_a_distance_under_the_interpreter"),
    "constraint.equality": ("naive/test_equalities.py::test_equality_rows",),
    **{f"constraint.{name}": (f"{ROWS}::test_rows",) for name in ("rows", "friction", "limit", "contact_rows", "reference")},
    **{f"solve.{name}": (f"{COST}::test_accelerations_have_the_least_cost",)
       for name in ("ordering", "constraint_blocks", "symbolic_factorisation", "sparse_cholesky", "cost", "hessian", "linesearch", "primal", "newton", "constraint_solve")},
    "solve.articulated_direction": ("physics/engine/solve/test_articulated_direction.py::test_directions_are_the_dense_ones",
                             "physics/engine/solve/test_articulated_direction.py::test_a_rope_under_the_interpreter"),
    "solve.cg": ("naive/test_solver_twins.py::test_conjugate_gradients",),
    "constraint.adhesion": ("physics/engine/constraint/test_adhesion.py::test_penetration_at_rest_does_not_depend_on_adhesion",
                            "physics/engine/constraint/test_adhesion.py::test_adhesion_under_the_interpreter"),
    "constraint.surface": ("physics/engine/constraint/test_surface.py::test_surfaces_under_the_interpreter",),
    **{f"solve.{name}": ("naive/test_solver_twins.py::test_projected_gauss_seidel",) for name in ("pgs", "delassus_factor", "cone_dual")},
    "solve.delassus_diagonal": ("naive/test_solver_twins.py::test_exact_diagonal",),
    "solve.noslip": ("naive/test_solver_twins.py::test_without_slip",),
    "constraint.contact_force": ("physics/engine/solve/test_laws.py::test_forces_lie_in_their_cones_and_balance",
                                 "physics/engine/solve/test_laws.py::test_forces_of_all_contacts_are_those_of_each"),
    # sensors and rays
    **{f"sensor.{name}": (f"{SENSORS}::test_sensors",) for name in ("output", "position", "velocity", "acceleration", "read_sensor", "stages")},
    "sensor.contact": (f"{DETECTORS}::test_contacts_in_order_seen_from_either_side",
                       "physics/engine/sensor/test_random_sensors.py::test_sensors_of_contacts_and_rays_on_a_small_model"),
    "sensor.containment_distance": ("physics/engine/sensor/test_containment_distance.py::test_the_farthest_point_is_found",
                         "physics/engine/sensor/test_containment_distance.py::test_enclosure_under_the_interpreter"),
    "sensor.distance": (f"{DETECTORS}::test_distances",), "sensor.range_finder": (f"{DETECTORS}::test_range_finders_march",),
    "sensor.tactile": ("physics/engine/sensor/test_random_sensors.py::test_random_sensors_agree",
                       "physics/engine/sensor/test_random_sensors.py::test_sensors_of_contacts_and_rays_on_a_small_model"),
    "sensor.delays": ("physics/engine/sensor/test_late_sensors.py::test_late_sensors_agree_over_many_steps", EVERYTHING),
    "ray.mesh": ("naive/test_sensing_twins.py::test_rays_against_all_triangles", "physics/engine/ray/test_rays.py::test_meshes_and_height_fields_are_met"),
    "ray.hfield": (f"{DETECTORS}::test_rays_on_the_triangles_of_a_height_field",),
    "ray.cast": ("naive/test_sensing_twins.py::test_rays_against_marching", "physics/engine/ray/test_rays.py::test_what_rays_see"),
    # not part of a step
    "kinematics.jacobians": (f"{QUESTIONS}::test_jacobians",), "point_velocity": (f"{QUESTIONS}::test_velocities_and_accelerations",),
    "linalg.box_qp": ("physics/inverse_kinematics/test_box_qp.py::test_the_minimum_is_that_of_all_sets_of_active_bounds", "physics/inverse_kinematics/test_box_qp.py::test_a_box_under_the_interpreter"),
    "kinematics.differential_ik": ("physics/inverse_kinematics/test_stacked.py::test_the_problem_is_that_of_its_formula", "physics/inverse_kinematics/test_stacked.py::test_a_step_under_the_interpreter"),
    "control_noise": ("physics/runtime/test_noise.py::test_random_numbers_are_the_published_ones",),
    "fleet.soft": ("physics/fleet/test_fleet.py::test_each_moves_as_it_would_alone", "physics/fleet/test_interpreter.py::test_rows_in_and_out"),
    "rollout": ("physics/simulate/test_rollout.py::test_a_rollout_is_step_after_step", "physics/simulate/test_rollout.py::test_rollout_under_the_interpreter"),
    "perturb": ("physics/runtime/test_perturbation.py::test_force_and_felt_mass_are_the_official_ones", "physics/runtime/test_perturbation.py::test_interpreted_kernels_agree"),
    **{name: ("physics/runtime/test_simulation.py::test_official_steps_in_long_chunks",
              "physics/runtime/test_simulation.py::test_steps_with_noise_and_record_under_the_interpreter") for name in ("advance", "record")},
    "user_writes": ("physics/runtime/history/test_written.py::test_compiled_and_interpreted_find_the_same",),
    "trace": ("physics/recording/test_trace.py::test_every_step_has_the_bits_of_its_state", "physics/recording/test_trace.py::test_steps_are_traced_under_the_interpreter"),
    "replay": ("physics/recording/test_replayed.py::test_values_are_the_bits_of_the_trace", "physics/recording/test_replayed.py::test_states_are_replayed_under_the_interpreter"),
    "stage_time": ("physics/runtime/test_profile.py::test_a_stamp_counts_for_the_stage_that_has_ended",),
    "length_range_simulation": ("physics/compiler/derived/test_length_range.py::test_ranges_agree",
       "physics/compiler/derived/test_length_range.py::test_a_pull_of_one_step_by_hand"),
}


def marked(place: str) -> bool:
    """Whether the test, one of its cases, or all of its file carries the mark `nojit`; KeyError where there is no such test."""
    file, name = place.split("::")
    tree = ast.parse((TESTS / file).read_text())
    body = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}[name]
    whole = any(isinstance(node, ast.Assign) and "pytestmark" in ast.dump(node) and "nojit" in ast.dump(node) for node in tree.body)
    asked = {a.arg for a in body.args.args}
    fixtures = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in asked]
    return whole or any("nojit" in ast.dump(decorator) for node in (body, *fixtures) for decorator in node.decorator_list)


def test_every_family_is_here():
    modules = {name.removeprefix("physics.engine.") for name in ENGINE}
    assert modules == set(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_has_its_twin_and_runs_under_the_interpreter(family):
    assert any([marked(place) for place in FAMILIES[family]])
