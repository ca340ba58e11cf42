"""Numbers of the stages of a hard step, for the profiler: rows of hard/step_order.py."""
KINEMATICS, COLLISION, FORCES, ROWS, SOLVE, LOOK, REPORT, SENSORS, INTEGRATE = range(9)
