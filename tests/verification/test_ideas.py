"""Which of the reference's test ideas are re-made here, and where: a table that is itself tested.

A row: the numbers of the ideas, what must hold, the tests that ask for it (file under tests/, then the test's name).
"""
import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
LAWS, STEPS, EQUAL = "physics/engine/test_actuator_laws.py", "verification/test_integrators.py", "verification/test_equivalences.py"
SPRINGS, FLUID, LIFT, HEAVY = (f"physics/engine/{name}.py" for name in ("test_springs", "passive/test_fluid", "passive/test_gravity_compensation", "test_tendon_inertia"))
COLLIDE = "verification/test_collision_ideas.py"
IDEAS = (
    # integration
    (1, "an integrating actuator stops at its range and comes back at once", (LAWS, "test_an_integrator_stops_at_its_range_and_comes_back")),
    (2, "a damper takes speed to nothing", (LAWS, "test_a_damper_only_takes_speed")),
    (3, "armature is a rotor behind a gear", (EQUAL, "test_armature_is_a_rotor_behind_a_gear")),
    (4, "without implicit damping a step's change of velocity is the acceleration", (STEPS, "test_change_of_velocity_is_the_acceleration_where_nothing_is_implicit")),
    (5, "implicit damping becomes explicit as steps become short", (STEPS, "test_implicit_forces_become_explicit_as_steps_become_short")),
    (6, "implicit is Euler where only joints are damped", (STEPS, "test_methods_agree_where_only_joints_are_damped")),
    (7, "a joint's damping is a velocity servo at rest", (STEPS, "test_a_velocity_servo_at_rest_is_a_damper"),
     (LAWS, "test_forces_of_damping_by_an_actuator_and_by_a_joint_are_one")),
    (8, "energy drifts least with RK4, then implicit, then Euler", (STEPS, "test_energy_drift_of_a_swinging_double_pendulum")),
    (9, "a free body moves alike with implicit and implicitfast, in a medium too", (STEPS, "test_free_bodies_move_alike_with_implicit_and_implicitfast"),
     (FLUID, "test_implicitfast_is_implicit_for_a_free_body")),
    (10, "free bodies: what stays constant, stable however fast, energy gained by Euler and lost by implicit methods",
     ("verification/test_mechanics.py", "test_a_spinning_free_body_conserves_momentum_and_energy"),
     (STEPS, "test_tumbling_gains_energy_with_euler_and_loses_some_with_implicit_methods"),
     ("verification/test_rotation.py", "test_a_free_body_follows_jacobis_functions"), (EQUAL, "test_asking_for_the_discrete_inverse_does_not_change_the_motion")),
    # actuators
    (11, "controls are clamped in use and kept in ctrl", (LAWS, "test_controls_are_clamped_in_use_but_not_in_ctrl")),
    (12, "bodies relieved of parts of their weight fall by the rest", (LIFT, "test_three_balls_under_half_gravity_each_go_their_way")),
    (13, "quaternions of any length count as of length one and are kept as they are",
     (EQUAL, "test_quaternions_are_used_as_if_they_were_of_length_one_and_kept_as_they_are")),
    (14, "adhesion holds above a body's weight and not below, for all cones and dimensions",
     ("physics/engine/test_adhesion.py", "test_a_ball_hangs_by_more_than_its_weight_and_falls_with_less")),
    (15, "a joint limits the sum of its actuators' forces", (LAWS, "test_forces_on_a_joint_and_on_a_tendon_are_limited_in_total")),
    (16, "a motor that bears the weight keeps to its joint's range", (LIFT, "test_a_motor_that_holds_the_weight_keeps_to_its_range")),
    (17, "damping ratios: overshoot below one only, whatever the tendon's scale", (STEPS, "test_servos_with_a_damping_ratio_overshoot_below_one_only"),
     (EQUAL, "test_a_damping_ratio_does_not_depend_on_how_the_tendon_is_scaled")),
    (18, "exact filters: continuous time at any step, and none at all for a time constant of 0", (STEPS, "test_exact_filters_do_not_depend_on_the_step"),
     (LAWS, "test_an_exact_filter_does_not_depend_on_the_time_step")),
    (19, "acting early takes a step's delay away", (LAWS, "test_acting_early_takes_the_delay_of_a_step_away")),
    (20, "disabled groups give no force", (LAWS, "test_disabled_groups_give_no_force_and_keep_their_activation")),
    (21, "a tendon limits the sum of its actuators' forces", (LAWS, "test_forces_on_a_joint_and_on_a_tendon_are_limited_in_total")),
    (22, "motors: speed without load, current, heat, friction of bristles, controllers", (LAWS, "test_a_motor_without_load_turns_as_its_data_sheet_says"),
     (LAWS, "test_the_current_of_a_held_motor_rises_exactly"), (LAWS, "test_a_held_motor_warms_up_to_where_it_loses_what_it_gains"),
     (LAWS, "test_bristles_hold_a_motor_until_the_static_friction_is_overcome"), (EQUAL, "test_a_motor_with_a_set_point_is_a_pid_servo"),
     (EQUAL, "test_a_motor_without_inputs_is_one_with_shorted_ends"), (EQUAL, "test_a_turning_motors_bristles_settle_on_stribecks_curve"),
     (EQUAL, "test_the_order_of_actuators_does_not_matter"), ("naive/test_actuator_twins.py", "test_motors")),
    # kinematics and dynamics
    (23, "the world has the pose and the velocity of a world", (EQUAL, "test_the_world_stays_where_it_is")),
    (24, "the rate of a tendon's Jacobian by differences", (EQUAL, "test_what_a_heavy_tendon_adds_to_the_bias_is_the_rate_of_its_jacobian"),
     ("naive/test_strings.py", "test_wrapped_strings")),
    (25, "heavy tendons: inertia, energy, momentum, and a joint's armature said otherwise", (HEAVY, "test_a_bead_on_a_heavy_string_obeys_the_polar_equations"),
     (HEAVY, "test_energy_stays"), (HEAVY, "test_momentum_stays"), (HEAVY, "test_a_fixed_tendon_is_the_rotor_of_its_joint")),
    (26, "force sensors of what carries a load by a connect", ("verification/test_held_weights.py", "test_a_load_under_its_bracket"),
     ("verification/test_held_weights.py", "test_gravity_from_anywhere_and_a_load_far_out"), ("verification/test_held_weights.py", "test_a_load_on_a_slide"),
     ("verification/test_held_weights.py", "test_other_constraints_beside_it_are_not_mixed_up")),
    (27, "the same by a weld, whatever the share of its torque", ("verification/test_held_weights.py", "test_a_load_under_its_bracket"),
     ("physics/engine/inertia/test_rne_post_constraint.py", "test_a_weld_holds_with_force_and_torque")),
    (28, "equalities between sites are those between bodies", (EQUAL, "test_equalities_between_sites_are_those_between_bodies")),
    (29, "servos between sites bring a site to a pose, and keep a free robot's momentum", (EQUAL, "test_servos_between_sites_bring_the_site_to_the_pose"),
     (EQUAL, "test_servos_between_sites_of_one_robot_push_nothing_but_itself")),
    (30, "factors give the matrix back, solutions its product", ("physics/engine/linalg/test_leaves.py", "test_factor_solve_and_products"),
     ("naive/test_smooth_twins.py", "test_inertia_factor_and_products"), ("physics/query/test_jacobian.py", "test_mass_matrix")),
    # questions about a state
    (31, "Jacobians of a subtree's centre by differences", ("physics/query/test_jacobian.py", "test_jacobians_are_derivatives")),
    (32, "rates of Jacobians by differences", ("physics/query/test_jacobian.py", "test_jacobians_are_derivatives"),
     ("physics/query/test_jacobian.py", "test_rate_of_a_ball_that_a_slide_follows")),
    (33, "a weld's Jacobian by differences", ("naive/test_equalities.py", "test_equality_rows")),
    (34, "the matrix of angular momentum", ("physics/query/test_jacobian.py", "test_centres_of_mass_and_angular_momentum")),
    (35, "differences of positions undo their sums", ("physics/query/test_jacobian.py", "test_differences_of_positions")),
    (36, "products with the inertia and its full matrix", ("physics/query/test_jacobian.py", "test_mass_matrix")),
    (38, "quaternions and their conversions", ("physics/engine/linalg/test_leaves.py", "test_quaternions")),
    (39, "muscle curves, polynomial springs, strings around things", (LAWS, "test_muscle_curves"), ("naive/test_actuator_twins.py", "test_muscles"),
     (SPRINGS, "test_a_stiffening_spring"), ("physics/engine/tendon/test_wrap.py", "test_wrapping_at_random_points")),
    # constraints, as far as they are there
    (40, "how deep a ball sinks at rest", ("physics/engine/solve/test_laws.py", "test_a_resting_ball_sinks_as_the_parameters_say")),
    (42, "drift of equalities by differences, and forward dynamics against inverse with them", ("naive/test_equalities.py", "test_equality_rows"),
     ("physics/engine/test_inverse.py", "test_forward_and_inverse_agree")),
    (48, "no iterations are needed from the solution", ("physics/test_two_halves.py", "test_no_iterations_are_needed_from_the_solution")),
    # passive forces, inverse dynamics, derivatives
    (54, "springs, dampers, deadbands, energies, what their flags switch off, fluids of geoms and of bodies, weight taken off nested bodies",
     (LIFT, "test_disabled_springs_dampers_and_gravity"), (SPRINGS, "test_a_stiffening_spring"), (SPRINGS, "test_a_stiffening_damper_resists_alike_both_ways"),
     (SPRINGS, "test_a_deadband_is_free_of_force"), (SPRINGS, "test_force_is_the_slope_of_the_energy"), (FLUID, "test_geoms_of_one_body_are_as_good_as_bodies_of_one_geom"),
     (LIFT, "test_a_body_without_joints_lifts_the_one_that_carries_it")),
    (55, "inverse dynamics finds what forward dynamics was given, in steps too", ("physics/engine/test_inverse.py", "test_forward_and_inverse_agree"),
     ("physics/engine/test_inverse.py", "test_the_discrete_inverse_finds_what_moved_a_step")),
    (56, "derivatives by velocity and of whole steps by differences", ("naive/test_smooth_twins.py", "test_velocity_derivative"), ("naive/test_fluid_twins.py", "test_derivatives"),
     ("physics/engine/integrator/test_fluid_derivative.py", "test_tumbling_thin_things"), ("naive/test_implicit_twins.py", "test_implicit_solves_its_linear_system"),
     ("physics/derivatives/test_finite_difference.py", "test_a_linear_system_is_exact")),
    # sensors and rays
    (57, "sensors: frames, energies, clock, camera, inside of sites, accelerometer between the halves of a step",
     ("physics/engine/sensor/test_laws.py", "test_frame_velocities_are_rates_of_positions"), ("physics/engine/sensor/test_laws.py", "test_energies"),
     (SPRINGS, "test_a_spring_on_a_free_body_pulls_it_home"), ("physics/engine/sensor/test_laws.py", "test_camera_projection"),
     ("physics/engine/sensor/test_laws.py", "test_inside_sites_of_every_shape"),
     ("physics/engine/sensor/test_laws.py", "test_an_accelerometer_between_the_halves_of_a_step_reads_the_step_before"),
     ("physics/engine/sensor/test_random_sensors.py", "test_contact_sensors_agree_in_every_field")),
    (58, "rays: what they see and leave out, height fields, normals, meshes", ("physics/engine/ray/test_rays.py", "test_what_rays_see"),
     ("physics/engine/ray/test_rays.py", "test_height_field_from_all_sides"), ("physics/engine/ray/test_rays.py", "test_random_rays_agree"),
     ("naive/test_sensing_twins.py", "test_rays_against_all_triangles")),
    # collision
    (59, "which geoms collide: lists, excludes, pairs, parents, the world, planes of bodies, sums of margins, gaps of bodies with many geoms",
     (COLLIDE, "test_what_collides_what_is_left_out_and_what_is_asked_for"), (COLLIDE, "test_a_plane_may_be_carried_by_a_body"),
     (COLLIDE, "test_margins_of_both_geoms_add_up"), (COLLIDE, "test_contacts_in_the_gap_are_listed_and_push_nothing_though_the_bodies_have_more_geoms"),
     ("physics/engine/collide/test_filter.py", "test_parent_and_child_do_not_touch"), ("physics/engine/collide/test_filter.py", "test_the_world_touches_its_children")),
    (60, "boxes: a ball in a box, thin ones, faces nearly parallel, one in another, towers, random ones against the fifteen axes",
     (COLLIDE, "test_a_ball_sinks_into_a_box_as_into_a_plane"), (COLLIDE, "test_thin_boxes_a_hair_apart_have_no_deep_contact_and_a_true_one_once_they_meet"),
     (COLLIDE, "test_nearly_parallel_faces_keep_their_corners"), (COLLIDE, "test_an_aligned_tower_stands"),
     ("physics/engine/collide/test_routines.py", "test_box_box_depth_is_the_largest_separation")),
    (61, "distances and depths of convex shapes that are known otherwise", (COLLIDE, "test_two_geoms_at_a_known_distance"),
     ("oracle/test_poses.py", "test_poses_agree_or_are_nearer_the_truth"), ("verification/test_robustness.py", "test_meshes_overlap_where_a_linear_program_says_so")),
    (62, "cylinders on boxes: as many contacts as officially", (COLLIDE, "test_what_stands_or_lies_flat_has_as_many_contacts_as_officially")),
    (67, "lengths that actuators reach, by simulation", ("physics/compiler/derived/test_length_range.py", "test_ranges_agree")),
)


def names_in(file: str) -> set:
    """Names of the tests of a file, as pytest finds them."""
    return {node.name for node in ast.parse((TESTS / file).read_text()).body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")}


@pytest.mark.parametrize("number, text, places", [(row[0], row[1], row[2:]) for row in IDEAS], ids=[str(row[0]) for row in IDEAS])
def test_every_idea_has_its_tests(number, text, places):
    assert places and text
    for file, name in places:
        assert name in names_in(file)


def test_forty_of_them_are_about_the_dynamics():
    numbers = [row[0] for row in IDEAS]
    assert numbers == sorted(set(numbers)) and len([n for n in numbers if n not in (40, 67)]) >= 40
