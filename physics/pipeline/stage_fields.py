"""Which fields of Data each stage of a step reads and writes, with all kernels that it calls. A table, a row per row of step_order.STAGES.

Fields that users are shown, and those of SCRATCH that the walk shows besides; scratch else is left out. What a stage only reads after it has written it itself stands
in both. tests/physics/pipeline/test_stage_fields.py holds the table against the kernels' own text.
"""
from __future__ import annotations

from typing import NamedTuple


class StageFields(NamedTuple):
    """Names of fields that a stage reads, and those that it writes."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


def _row(reads: str, writes: str) -> StageFields:
    return StageFields(tuple(reads.split()), tuple(writes.split()))


# what the step itself sets to 0 between stages, as nothing is known of the present state yet: it counts for the stage that follows
LOWERED = ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost", "energy")
SCRATCH = ("ncand", "cand_geom", "ctrl_used", "qacc_step")     # private fields that show what a stage does

STAGE_FIELDS: tuple[StageFields, ...] = (
    # kinematics, position
    _row(
        """
        qpos qvel qfrc_applied xfrc_applied mocap_pos mocap_quat perturb_bodyid xfrc_perturb ntree_awake tree_asleep tree_awake body_awake xpos xquat
        xmat xipos xiquat ximat geom_xpos geom_xquat geom_xmat site_xpos site_xquat site_xmat subtree_com
        """,
        """
        ntree_awake nbody_awake nparent_awake nv_awake tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind dof_awake_ind xpos xquat xmat
        xipos xiquat ximat xanchor xaxis geom_xpos geom_xquat geom_xmat site_xpos site_xquat site_xmat cam_xpos cam_xmat light_xpos light_xdir
        subtree_com moment_rownnz
        """,
    ),
    # com, position
    _row(
        """
        ntree_awake xmat xipos ximat xanchor xaxis subtree_com
        """,
        """
        cdof cinert
        """,
    ),
    # tendon, position
    _row(
        """
        qpos ntree_awake tree_asleep tree_awake body_awake geom_xpos geom_xmat site_xpos subtree_com cdof ten_wrapadr ten_J ten_length wrap_obj
        wrap_xpos
        """,
        """
        ntree_awake nbody_awake nparent_awake nv_awake tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind dof_awake_ind ten_wrapadr
        ten_wrapnum ten_J ten_length wrap_obj wrap_xpos moment_rownnz
        """,
    ),
    # inertia, position
    _row(
        """
        ntree_awake tree_awake cdof cinert ten_J crb M
        """,
        """
        crb M
        """,
    ),
    # factor, position
    _row(
        """
        qvel warning_number ntree_awake tree_awake cdof cinert M qLD qLDiagInv
        """,
        """
        warning_number warning_lastinfo qLD qLDiagInv
        """,
    ),
    # collision, position
    _row(
        """
        qpos eq_active maxuse_con ntree_awake tree_asleep tree_awake body_awake geom_xpos geom_xmat ncon contact_dist contact_pos contact_frame
        contact_friction contact_solref contact_solreffriction contact_solimp contact_dim contact_geom contact_adhesion ncand cand_geom
        """,
        """
        maxuse_con ntree_awake nbody_awake nparent_awake nv_awake tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind dof_awake_ind
        moment_rownnz ncon contact_dist contact_pos contact_frame contact_includemargin contact_friction contact_solref contact_solreffriction
        contact_solimp contact_mu contact_dim contact_geom contact_exclude contact_efc_address contact_adhesion contact_surfacevel ncand cand_geom
        """,
    ),
    # efc_rows, position
    _row(
        """
        qpos eq_active maxuse_efc warning_number ntree_awake tree_awake body_awake xpos xquat xmat geom_xpos geom_xmat site_xpos subtree_com cdof
        ten_J ten_length M qLD qLDiagInv ncon contact_dist contact_pos contact_frame contact_includemargin contact_friction contact_solref
        contact_solreffriction contact_solimp contact_dim contact_geom contact_exclude ne nf nl nefc nJ efc_type efc_id efc_J_rownnz efc_J_rowadr
        efc_J_colind efc_J efc_KBIP
        """,
        """
        maxuse_efc warning_number warning_lastinfo qLD qLDiagInv contact_dist contact_pos contact_frame contact_mu contact_geom contact_exclude
        contact_efc_address ne nf nl nefc nJ efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_colind efc_J efc_pos efc_margin efc_frictionloss
        efc_diagA efc_KBIP efc_D efc_R tendon_efcadr
        """,
    ),
    # transmission, position
    _row(
        """
        qpos xquat site_xpos site_xmat subtree_com cdof ten_J ten_length moment_colind actuator_moment ncon contact_pos contact_frame contact_geom
        contact_exclude
        """,
        """
        actuator_length moment_rownnz moment_rowadr moment_colind actuator_moment
        """,
    ),
    # sensors, position
    _row(
        """
        time qpos qvel xfrc_applied history perturb_bodyid sensor_noise_on sensor_noise_seed xfrc_perturb ntree_awake tree_awake body_awake xpos xquat
        xmat xipos ximat geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com cdof cinert ten_wrapadr ten_wrapnum ten_J ten_length
        wrap_obj wrap_xpos actuator_length M ncon contact_dist contact_pos contact_frame contact_friction contact_dim contact_geom contact_efc_address
        contact_adhesion ne nf nefc efc_type efc_id efc_J_rowadr efc_J efc_pos efc_margin efc_vel efc_force flg_energypos flg_energyvel flg_subtreevel
        flg_rnepost ten_velocity actuator_velocity cvel cdof_dot subtree_linvel subtree_angmom energy qacc actuator_force qfrc_actuator cacc cfrc_int
        cfrc_ext ten_tension sensordata
        """,
        """
        contact_dist contact_pos contact_frame flg_energypos flg_energyvel flg_subtreevel flg_rnepost subtree_linvel subtree_angmom energy cacc
        cfrc_int cfrc_ext ten_tension sensordata
        """,
    ),
    # energy, position
    _row(
        """
        qpos xipos ten_length
        """,
        """
        flg_energypos energy
        """,
    ),
    # velocity, velocity
    _row(
        """
        qvel ntree_awake xaxis cdof ten_J moment_rownnz moment_rowadr moment_colind actuator_moment cvel
        """,
        """
        ten_velocity actuator_velocity cvel cdof_dot
        """,
    ),
    # passive, velocity
    _row(
        """
        qpos qvel ntree_awake tree_awake body_awake xipos ximat geom_xpos geom_xmat subtree_com cdof ten_J ten_length ncon contact_pos contact_frame
        contact_geom contact_exclude contact_adhesion ten_velocity cvel qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion qfrc_passive
        """,
        """
        qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion qfrc_passive
        """,
    ),
    # reference, velocity
    _row(
        """
        qvel xpos xquat xmat site_xpos subtree_com ncon contact_friction contact_dim contact_efc_address contact_adhesion contact_surfacevel ne nefc
        efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_colind efc_J efc_pos efc_margin efc_KBIP efc_R efc_vel efc_aref cvel cdof_dot
        """,
        """
        efc_vel efc_aref
        """,
    ),
    # bias, velocity
    _row(
        """
        qvel ntree_awake tree_awake site_xpos subtree_com cdof cinert ten_J cvel cdof_dot qfrc_bias
        """,
        """
        qfrc_bias
        """,
    ),
    # sensors, velocity
    _row(
        """
        time qpos qvel xfrc_applied history perturb_bodyid sensor_noise_on sensor_noise_seed xfrc_perturb ntree_awake tree_awake body_awake xpos xquat
        xmat xipos ximat geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com cdof cinert ten_wrapadr ten_wrapnum ten_J ten_length
        wrap_obj wrap_xpos actuator_length M ncon contact_dist contact_pos contact_frame contact_friction contact_dim contact_geom contact_efc_address
        contact_adhesion ne nf nefc efc_type efc_id efc_J_rowadr efc_J efc_pos efc_margin efc_vel efc_force flg_energypos flg_energyvel flg_subtreevel
        flg_rnepost ten_velocity actuator_velocity cvel cdof_dot subtree_linvel subtree_angmom energy qacc actuator_force qfrc_actuator cacc cfrc_int
        cfrc_ext ten_tension sensordata
        """,
        """
        contact_dist contact_pos contact_frame flg_energypos flg_energyvel flg_subtreevel flg_rnepost subtree_linvel subtree_angmom energy cacc
        cfrc_int cfrc_ext ten_tension sensordata
        """,
    ),
    # energy, velocity
    _row(
        """
        qvel M
        """,
        """
        flg_energyvel energy
        """,
    ),
    # actuation, acceleration
    _row(
        """
        time act ctrl history warning_number ctrl_noise ctrl_used actuator_length moment_rownnz moment_rowadr moment_colind actuator_moment
        actuator_velocity qfrc_gravcomp act_dot actuator_force qfrc_actuator
        """,
        """
        warning_number warning_lastinfo ctrl_used act_dot actuator_force qfrc_actuator
        """,
    ),
    # qacc_smooth, acceleration
    _row(
        """
        qpos qvel act qfrc_applied xfrc_applied warning_number perturb_bodyid xfrc_perturb ctrl_used ntree_awake tree_awake xipos ximat geom_xpos
        geom_xmat subtree_com cdof ten_J ten_length actuator_length moment_rownnz moment_rowadr moment_colind actuator_moment M qLD qLDiagInv ncon
        contact_mu contact_dim contact_efc_address contact_adhesion nefc efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_colind efc_J efc_KBIP efc_R
        efc_vel efc_aref ten_velocity actuator_velocity cvel qfrc_bias qfrc_passive act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth qH
        qHDiagInv qacc_step
        """,
        """
        warning_number warning_lastinfo efc_diagA efc_D efc_R efc_aref qfrc_smooth qacc_smooth qH qHDiagInv qacc_step
        """,
    ),
    # solve, acceleration
    _row(
        """
        qvel qacc_warmstart warning_number body_awake xpos xmat subtree_com cdof cinert ten_J moment_rownnz moment_rowadr moment_colind
        actuator_moment crb M qLD qLDiagInv contact_pos contact_frame contact_friction contact_mu contact_dim contact_geom nefc nJ efc_type efc_id
        efc_J_rownnz efc_J_rowadr efc_J_colind efc_J efc_frictionloss efc_D efc_R efc_aref efc_b efc_state efc_force qacc qfrc_smooth qacc_smooth
        qfrc_constraint solver_nnz qH qHDiagInv
        """,
        """
        warning_number warning_lastinfo M qLD qLDiagInv efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_colind efc_J efc_frictionloss efc_D efc_R
        efc_aref efc_b efc_state efc_force qacc qfrc_smooth qacc_smooth qfrc_constraint solver_niter_max solver_improvement solver_gradient
        solver_lineslope solver_nactive solver_nchange solver_neval solver_nupdate solver_niter solver_nnz qH qHDiagInv
        """,
    ),
    # sensors, acceleration
    _row(
        """
        time qpos qvel xfrc_applied history perturb_bodyid sensor_noise_on sensor_noise_seed xfrc_perturb ntree_awake tree_awake body_awake xpos xquat
        xmat xipos ximat geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com cdof cinert ten_wrapadr ten_wrapnum ten_J ten_length
        wrap_obj wrap_xpos actuator_length M ncon contact_dist contact_pos contact_frame contact_friction contact_dim contact_geom contact_efc_address
        contact_adhesion ne nf nefc efc_type efc_id efc_J_rowadr efc_J efc_pos efc_margin efc_vel efc_force flg_energypos flg_energyvel flg_subtreevel
        flg_rnepost ten_velocity actuator_velocity cvel cdof_dot subtree_linvel subtree_angmom energy qacc actuator_force qfrc_actuator cacc cfrc_int
        cfrc_ext ten_tension sensordata
        """,
        """
        contact_dist contact_pos contact_frame flg_energypos flg_energyvel flg_subtreevel flg_rnepost subtree_linvel subtree_angmom energy cacc
        cfrc_int cfrc_ext ten_tension sensordata
        """,
    ),
    # integrate, integration
    _row(
        """
        time qpos qvel act ctrl qfrc_applied xfrc_applied history warning_number perturb_bodyid xfrc_perturb ctrl_noise ctrl_used tree_asleep
        tree_awake xpos xmat xipos ximat geom_xpos geom_xmat subtree_com cdof cinert ten_J actuator_length moment_rownnz moment_rowadr moment_colind
        actuator_moment crb M qLD qLDiagInv nefc ten_velocity actuator_velocity cvel cdof_dot qacc act_dot actuator_force qfrc_actuator qfrc_smooth
        qfrc_constraint qH qHDiagInv qDeriv qLU qacc_step
        """,
        """
        time qpos qvel act qacc_warmstart history diverged diverged_id warning_number warning_lastinfo tree_asleep qacc qH qHDiagInv qDeriv qLU
        qacc_step
        """,
    ),
)
# of an integrator that evaluates the stages anew (RK4), and of a step in which trees fall asleep: all that any stage writes
EVERYTHING = tuple(dict.fromkeys(name for row in STAGE_FIELDS for name in row.writes))
ALL = tuple(dict.fromkeys(name for row in STAGE_FIELDS for name in (*row.reads, *row.writes)))
INPUTS = frozenset(ALL) - frozenset(EVERYTHING)     # what no stage writes: the user's, and who is awake
