"""Reading one sensor now, whatever its type.

Source: MuJoCo documentation, XML reference, sensor.
"""
from __future__ import annotations

from physics.engine.sensor.acceleration import read_acceleration
from physics.engine.sensor.contact import read_contact, read_touch
from physics.engine.sensor.distance import read_distance
from physics.engine.sensor.output import finish
from physics.engine.sensor.position import read_position
from physics.engine.sensor.range_finder import read_range
from physics.engine.sensor.tactile import read_tactile
from physics.engine.sensor.velocity import read_velocity
from physics.enums import (
    SENS_CONTACT,
    SENS_GEOMDIST,
    SENS_GEOMFROMTO,
    SENS_GEOMNORMAL,
    SENS_RANGEFINDER,
    SENS_TACTILE,
    SENS_TOUCH,
    STAGE_POS,
    STAGE_VEL,
)
from physics.kernels.decorators import kernel


@kernel("m d i")
def read(m, d, i):
    """Read sensor i, of any type but user."""
    kind = m.sensor_type[i]
    stage = m.sensor_needstage[i]
    if kind == SENS_CONTACT:
        read_contact(m, d, i)
    elif kind == SENS_TOUCH:
        read_touch(m, d, i)
    elif kind == SENS_TACTILE:
        read_tactile(m, d, i)
    elif kind == SENS_RANGEFINDER:
        read_range(m, d, i)
    elif kind == SENS_GEOMDIST or kind == SENS_GEOMNORMAL or kind == SENS_GEOMFROMTO:
        read_distance(m, d, i)
    elif stage == STAGE_POS:
        read_position(m, d, i)
    elif stage == STAGE_VEL:
        read_velocity(m, d, i)
    else:
        read_acceleration(m, d, i)
    finish(m, d, i)
