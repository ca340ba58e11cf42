"""The order of a hard step, said once, for the profiler: numbers of rows are in hard/stage_numbers.py."""
from __future__ import annotations

from physics.engine.collide.collision import collision
from physics.engine.hard.contact.points import contact_rows
from physics.engine.hard.forces import hard_forces
from physics.engine.hard.momenta import keep_start, momenta
from physics.engine.hard.report import report
from physics.engine.hard.rescue import look_at_end, solve_islands
from physics.engine.hard.slopes import dof_slopes, servo_slopes
from physics.engine.hard.step import step
from physics.engine.hard.system.order import plan
from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from physics.engine.step_order import ALWAYS, SENSORS, StepStage
from physics.engine.tendon.tendon import tendon

TOUCHING = "if there are geoms that may touch"

STAGES = (
    StepStage("kinematics", "position", ALWAYS, (kinematics, com_pos, tendon, keep_start, momenta), "poses, tendons, the momenta that bodies bring along"),
    StepStage("collision", "position", ALWAYS, (collision,), "contacts, as far as geoms may come nearer within the step", "collision"),
    StepStage("forces", "velocity", ALWAYS, (hard_forces,), "springs, dampers, fluid, actuators"),
    StepStage("rows", "acceleration", ALWAYS, (dof_slopes, servo_slopes, contact_rows, plan), "contact rows, islands, the order of elimination", "prepare"),
    StepStage("solve", "acceleration", ALWAYS, (solve_islands,), "the pose at the end of the step, impulses of contacts, limits and dry friction", "solve"),
    StepStage("look again", "acceleration", TOUCHING, (look_at_end,), "what has come through by then gets rows", "collision"),
    StepStage("report", "acceleration", ALWAYS, (report,), "contacts, constraint rows and their forces"),
    StepStage("sensors", "acceleration", SENSORS, (sensor_pos, sensor_vel, sensor_acc), "sensors"),
    StepStage("integrate", "integration", ALWAYS, (step,), "the next state"),
)
