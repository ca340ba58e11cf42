"""Units of what sensors read."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.enums import (
    JNT_SLIDE,
    SENS_ACTUATORFRC,
    SENS_ACTUATORPOS,
    SENS_ACTUATORVEL,
    SENS_JOINTACTFRC,
    SENS_JOINTLIMITFRC,
    SENS_JOINTLIMITPOS,
    SENS_JOINTLIMITVEL,
    SENS_JOINTPOS,
    SENS_JOINTVEL,
    SensorType,
)
from physics.quantities.actuator_units import TURNING, length_units

# by type: force, length, length per second, ... that do not depend on what the sensor is on
UNITS: Mapping[str, str] = MappingProxyType({
    "TOUCH": "N", "ACCELEROMETER": "m/s\u00b2", "VELOCIMETER": "m/s", "GYRO": "rad/s", "FORCE": "N", "TORQUE": "N m", "MAGNETOMETER": "T", "RANGEFINDER": "m",
    "CAMPROJECTION": "px", "TENDONPOS": "m", "TENDONVEL": "m/s", "TENDONACTFRC": "N", "BALLANGVEL": "rad/s", "TENDONLIMITPOS": "m", "TENDONLIMITVEL": "m/s",
    "TENDONLIMITFRC": "N", "FRAMEPOS": "m", "FRAMELINVEL": "m/s", "FRAMEANGVEL": "rad/s", "FRAMELINACC": "m/s\u00b2", "FRAMEANGACC": "rad/s\u00b2", "SUBTREECOM": "m",
    "SUBTREELINVEL": "m/s", "SUBTREEANGMOM": "kg m\u00b2/s", "GEOMDIST": "m", "GEOMFROMTO": "m", "E_POTENTIAL": "J", "E_KINETIC": "J", "CLOCK": "s",
})
ON_JOINTS = MappingProxyType({SENS_JOINTPOS: 0, SENS_JOINTLIMITPOS: 0, SENS_JOINTVEL: 1, SENS_JOINTLIMITVEL: 1, SENS_JOINTACTFRC: 2, SENS_JOINTLIMITFRC: 2})
ON_ACTUATORS = MappingProxyType({SENS_ACTUATORPOS: 0, SENS_ACTUATORVEL: 1, SENS_ACTUATORFRC: 2})
STRAIGHT_UNITS, TURNING_UNITS = ("m", "m/s", "N"), ("rad", "rad/s", "N m")


def sensor_unit(m, i: int) -> str:
    """Unit of a sensor's numbers, '' where they have none or different ones."""
    kind, target = int(m.sensor_type[i]), int(m.sensor_objid[i])
    if kind in ON_JOINTS:
        return (STRAIGHT_UNITS if int(m.jnt_type[target]) == JNT_SLIDE else TURNING_UNITS)[ON_JOINTS[kind]]
    if kind in ON_ACTUATORS:
        units = length_units(m, target)
        return (TURNING_UNITS if units == TURNING else STRAIGHT_UNITS)[ON_ACTUATORS[kind]] if units[0] else ""
    return UNITS.get(SensorType(kind).name, "")
