# Written by `python -m tests.linkwork.public_names`.
from enum import IntEnum

from app.passive.framed import Figure as Figure
from app.passive.framed import Rect as Rect
from app.pictures import Pictures as Pictures
from linkwork.full_window import launch as launch
from linkwork.passive import Handle as Handle
from linkwork.passive import launch_passive as launch_passive
from linkwork.picture import Picture as Picture
from linkwork.picture import show as show
from linkwork.user_scene import connector as connector
from linkwork.user_scene import init_geom as init_geom
from linkwork.view import CameraType as CameraType
from linkwork.view import GridPos as GridPos
from linkwork.window_process import WindowError as WindowError
from physics.compiler.compile import compile_root as compile_root
from physics.compiler.compile import load as load
from physics.compiler.compile import load_string as load_string
from physics.compiler.native import ensure_compiler as ensure_compiler
from physics.compiler.provenance import provenance as provenance
from physics.derivatives.finite_difference import inverse_fd as inverse_fd
from physics.derivatives.finite_difference import transition as transition
from physics.derivatives.finite_difference import transition_analytic as transition_analytic
from physics.derivatives.finite_difference import transition_fd as transition_fd
from physics.diagnostics.advice.advisor import advise as advise
from physics.diagnostics.constraint_parameters import constraint_parameters as constraint_parameters
from physics.diagnostics.constraint_rows import constraint_rows as constraint_rows
from physics.diagnostics.constraint_rows import effective_mass as effective_mass
from physics.diagnostics.constraint_rows import rows_of as rows_of
from physics.diagnostics.contact_exclusion import contact_exclusion as contact_exclusion
from physics.diagnostics.contact_parameters import contact_parameters as contact_parameters
from physics.diagnostics.contact_parameters import pair_parameters as pair_parameters
from physics.diagnostics.contact_state import contact_state as contact_state
from physics.diagnostics.divergence.report import PostMortem as PostMortem
from physics.diagnostics.torque_balance import joint_dofs as joint_dofs
from physics.diagnostics.torque_balance import present_balance as present_balance
from physics.diagnostics.torque_balance import torque_balance as torque_balance
from physics.enums import BiasType as BiasType
from physics.enums import CamLightMode as CamLightMode
from physics.enums import CameraOutput as CameraOutput
from physics.enums import ColorSpace as ColorSpace
from physics.enums import Cone as Cone
from physics.enums import ConstraintState as ConstraintState
from physics.enums import ConstraintType as ConstraintType
from physics.enums import ContactData as ContactData
from physics.enums import CtrlChart as CtrlChart
from physics.enums import CtrlInput as CtrlInput
from physics.enums import DisableBit as DisableBit
from physics.enums import DynType as DynType
from physics.enums import EnableBit as EnableBit
from physics.enums import Engine as Engine
from physics.enums import EqType as EqType
from physics.enums import GainType as GainType
from physics.enums import GeomType as GeomType
from physics.enums import Integrator as Integrator
from physics.enums import Jacobian as Jacobian
from physics.enums import JointType as JointType
from physics.enums import LightType as LightType
from physics.enums import ObjType as ObjType
from physics.enums import PerturbBit as PerturbBit
from physics.enums import Projection as Projection
from physics.enums import RayData as RayData
from physics.enums import SameFrame as SameFrame
from physics.enums import SensorDataType as SensorDataType
from physics.enums import SensorType as SensorType
from physics.enums import SleepPolicy as SleepPolicy
from physics.enums import SleepState as SleepState
from physics.enums import Solver as Solver
from physics.enums import SolverVariant as SolverVariant
from physics.enums import Stage as Stage
from physics.enums import StateBit as StateBit
from physics.enums import TendonType as TendonType
from physics.enums import TextureRole as TextureRole
from physics.enums import TextureType as TextureType
from physics.enums import TransmissionType as TransmissionType
from physics.enums import WarningType as WarningType
from physics.enums import WrapType as WrapType
from physics.errors import FieldError as FieldError
from physics.errors import Issue as Issue
from physics.errors import ModelError as ModelError
from physics.errors import Place as Place
from physics.errors import ViewOnlyError as ViewOnlyError
from physics.fleet.fleet import Fleet as Fleet
from physics.inverse_kinematics.problem import IKOptions as IKOptions
from physics.inverse_kinematics.problem import IKResult as IKResult
from physics.inverse_kinematics.problem import IKTarget as IKTarget
from physics.inverse_kinematics.solve import IKSolver as IKSolver
from physics.inverse_kinematics.solve import solve_ik as solve_ik
from physics.lint.lint import lint_model as lint_model
from physics.model.data import Batch as Batch
from physics.model.data import Data as Data
from physics.model.element_index import id2name as id2name
from physics.model.element_index import name2id as name2id
from physics.model.model import Model as Model
from physics.pipeline.cost_landscape import cost_landscape as cost_landscape
from physics.pipeline.solver_trace import solver_trace as solver_trace
from physics.pipeline.walk import walk as walk
from physics.quantities.syntax import ExpressionError as ExpressionError
from physics.query.configuration import differentiate_pos as differentiate_pos
from physics.query.configuration import integrate_pos as integrate_pos
from physics.query.configuration import normalize_quat as normalize_quat
from physics.query.geom_distance import geom_distance as geom_distance
from physics.query.hold_torque import hold_torque as hold_torque
from physics.query.jacobian import angmom_mat as angmom_mat
from physics.query.jacobian import jac as jac
from physics.query.jacobian import jac_body as jac_body
from physics.query.jacobian import jac_body_com as jac_body_com
from physics.query.jacobian import jac_dot as jac_dot
from physics.query.jacobian import jac_geom as jac_geom
from physics.query.jacobian import jac_point_axis as jac_point_axis
from physics.query.jacobian import jac_site as jac_site
from physics.query.jacobian import jac_subtree_com as jac_subtree_com
from physics.query.keyframes import Keyframe as Keyframe
from physics.query.keyframes import blend_keyframes as blend_keyframes
from physics.query.keyframes import copy_part as copy_part
from physics.query.keyframes import part_of as part_of
from physics.query.mass_matrix import full_m as full_m
from physics.query.mass_matrix import mul_m as mul_m
from physics.query.mass_matrix import solve_m as solve_m
from physics.query.measure import angle as angle
from physics.query.measure import angle_between as angle_between
from physics.query.measure import direction as direction
from physics.query.measure import mass_properties as mass_properties
from physics.query.measure import nearest_points as nearest_points
from physics.query.mirror import find_mirror as find_mirror
from physics.query.mirror import mirror_keyframe as mirror_keyframe
from physics.query.object_motion import apply_ft as apply_ft
from physics.query.object_motion import contact_force as contact_force
from physics.query.object_motion import object_acceleration as object_acceleration
from physics.query.object_motion import object_velocity as object_velocity
from physics.query.quaternion import axis_angle2_quat as axis_angle2_quat
from physics.query.quaternion import euler2_quat as euler2_quat
from physics.query.quaternion import mat2_quat as mat2_quat
from physics.query.quaternion import mul_quat as mul_quat
from physics.query.quaternion import neg_quat as neg_quat
from physics.query.quaternion import quat2_mat as quat2_mat
from physics.query.quaternion import quat2_vel as quat2_vel
from physics.query.quaternion import quat_integrate as quat_integrate
from physics.query.quaternion import rot_vec_quat as rot_vec_quat
from physics.query.quaternion import sub_quat as sub_quat
from physics.query.raycast import ray as ray
from physics.query.raycast import ray_geom as ray_geom
from physics.query.raycast import rays as rays
from physics.recording.last_steps import step_until_divergence as step_until_divergence
from physics.recording.traced_steps import trace as trace
from physics.simulate.rollout import rollout as rollout
from physics.simulate.stages import com_pos as com_pos
from physics.simulate.stages import com_vel as com_vel
from physics.simulate.stages import energy_pos as energy_pos
from physics.simulate.stages import energy_vel as energy_vel
from physics.simulate.stages import kinematics as kinematics
from physics.simulate.stages import rne as rne
from physics.simulate.stages import rne_post_constraint as rne_post_constraint
from physics.simulate.stages import subtree_vel as subtree_vel
from physics.simulate.stages import tendon as tendon
from physics.simulate.stages import transmission as transmission
from physics.simulate.state_vector import copy_state as copy_state
from physics.simulate.state_vector import extract_state as extract_state
from physics.simulate.state_vector import get_state as get_state
from physics.simulate.state_vector import set_keyframe as set_keyframe
from physics.simulate.state_vector import set_state as set_state
from physics.simulate.state_vector import state_size as state_size
from physics.simulate.step import compare_fwd_inv as compare_fwd_inv
from physics.simulate.step import forward as forward
from physics.simulate.step import fwd_position as fwd_position
from physics.simulate.step import fwd_velocity as fwd_velocity
from physics.simulate.step import inverse as inverse
from physics.simulate.step import reset as reset
from physics.simulate.step import step as step
from physics.simulate.step import step1 as step1
from physics.simulate.step import step2 as step2
from physics.simulate.warm_up import ensure_engine as ensure_engine
from physics.simulate.warm_up import ensure_hard as ensure_hard
from physics.simulate.warnings import step_error as step_error
from physics.simulate.warnings import warnings as warnings
from physics.warm_up import compile_kernels as compile_kernels
from physics.writer.mjcf import save as save
from physics.writer.mjcf import to_mjcf as to_mjcf

class FrameMode(IntEnum):
    NONE = 0
    BODY = 1
    GEOM = 2
    SITE = 3
    CAMERA = 4
    LIGHT = 5
    CONTACT = 6
    WORLD = 7

class LabelMode(IntEnum):
    NONE = 0
    BODY = 1
    JOINT = 2
    GEOM = 3
    SITE = 4
    CAMERA = 5
    LIGHT = 6
    TENDON = 7
    ACTUATOR = 8
    CONSTRAINT = 9
    FLEX = 10
    SKIN = 11
    SELECTION = 12
    SELPOINT = 13
    CONTACT = 14
    CONTACTFORCE = 15
    ISLAND = 16

class RenderFlag(IntEnum):
    SHADOW = 0
    WIREFRAME = 1
    REFLECTION = 2
    ADDITIVE = 3
    SKYBOX = 4
    FOG = 5
    HAZE = 6
    DEPTH = 7
    SEGMENT = 8
    IDCOLOR = 9
    CULL_FACE = 10
    CULLFACE = 10

class VisFlag(IntEnum):
    CONVEX_HULL = 0
    TEXTURE = 1
    JOINT = 2
    CAMERA = 3
    ACTUATOR = 4
    ACTIVATION = 5
    LIGHT = 6
    TENDON = 7
    RANGE_FINDER = 8
    EQUALITY = 9
    INERTIA = 10
    SCALE_INERTIA = 11
    PERTURB_FORCE = 12
    PERTURB_OBJECT = 13
    CONTACT_POINT = 14
    ISLAND = 15
    CONTACT_FORCE = 16
    CONTACT_SPLIT = 17
    TRANSPARENT = 18
    AUTO_CONNECT = 19
    CENTER_OF_MASS = 20
    SELECT_POINT = 21
    STATIC_BODY = 22
    SKIN = 23
    FLEX_VERT = 24
    FLEX_EDGE = 25
    FLEX_FACE = 26
    FLEX_SKIN = 27
    BODY_TREE = 28
    MESH_TREE = 29
    SDF_ITERS = 30
    CONVEXHULL = 0
    RANGEFINDER = 8
    SCALEINERTIA = 11
    PERTURBFORCE = 12
    PERTURBOBJECT = 13
    CONTACTPOINT = 14
    CONTACTFORCE = 16
    CONTACTSPLIT = 17
    AUTOCONNECT = 19
    CENTEROFMASS = 20
    SELECTPOINT = 21
    STATICBODY = 22
    FLEXVERT = 24
    FLEXEDGE = 25
    FLEXFACE = 26
    FLEXSKIN = 27
    BODYTREE = 28
    MESHTREE = 29
    SDFITERS = 30
