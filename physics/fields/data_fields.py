"""All fields of Data: a table a stage, and those of one engine alone. What a further engine keeps is a table in OTHER_ENGINES: it moves no other field."""
from physics.fields.data_collision import COLLISION, COLLISION_SCRATCH
from physics.fields.data_constraint import CONSTRAINT, CONSTRAINT_SCRATCH
from physics.fields.data_hard import HARD, HARD_RECOVERY, HARD_STUCK
from physics.fields.data_hard_contacts import HARD_CONTACTS
from physics.fields.data_hard_mocap import HARD_MOCAP
from physics.fields.data_hard_overlaps import HARD_OVERLAPS
from physics.fields.data_hard_sensitivity import HARD_SENSITIVITY
from physics.fields.data_hard_tendons import HARD_TENDONS
from physics.fields.data_integration import INTEGRATION, INTEGRATION_SCRATCH
from physics.fields.data_motion import FORCE, MOTION_SCRATCH, SENSOR, SENSOR_SCRATCH, VELOCITY
from physics.fields.data_position import POSITION, POSITION_SCRATCH
from physics.fields.data_sleep import SLEEP, SLEEP_SCRATCH
from physics.fields.data_solver import SOLVER, SOLVER_SCRATCH
from physics.fields.data_state import STATE, STORAGE, WARNINGS
from physics.fields.data_user import CALLBACKS, PERTURB, QUERIES, RECORD
from physics.fields.field_row import Row

DATA_TABLES = (
    STATE, WARNINGS, STORAGE,
    CALLBACKS, PERTURB, RECORD, QUERIES,
    SLEEP, SLEEP_SCRATCH,
    POSITION, POSITION_SCRATCH,
    COLLISION, COLLISION_SCRATCH,
    CONSTRAINT, CONSTRAINT_SCRATCH,
    VELOCITY, FORCE, SENSOR, SENSOR_SCRATCH, MOTION_SCRATCH,
    SOLVER, SOLVER_SCRATCH,
    INTEGRATION, INTEGRATION_SCRATCH,
)
OTHER_ENGINES: tuple[tuple[Row, ...], ...] = (HARD, HARD_CONTACTS, HARD_SENSITIVITY, HARD_TENDONS, HARD_STUCK, HARD_MOCAP, HARD_RECOVERY, HARD_OVERLAPS)   # a table each, of rows that name their engine
