"""What the numbers of an actuator are in: its force by what it acts on, its control by what its law does with it."""
from __future__ import annotations

import numpy as np

from physics.enums import (
    BIAS_AFFINE,
    DYN_NONE,
    GAIN_FIXED,
    JNT_SLIDE,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)

STRAIGHT, TURNING = ("N", "m"), ("N m", "rad")   # of the force, of the length
NOTHING_TOLD = 1e-12


def length_units(m, i: int) -> tuple[str, str]:
    """Units of an actuator's force and length; ('', '') where it has none of its own."""
    kind, target = int(m.actuator_trntype[i]), int(m.actuator_trnid[i, 0])
    if kind in (TRN_JOINT, TRN_JOINTINPARENT):
        return STRAIGHT if int(m.jnt_type[target]) == JNT_SLIDE else TURNING
    if kind == TRN_SITE:
        gear = m.actuator_gear[m.actuator_outadr[i]]
        return TURNING if not np.any(gear[:3]) and np.any(gear[3:]) else STRAIGHT
    return STRAIGHT if kind in (TRN_SLIDERCRANK, TRN_TENDON, TRN_BODY) else ("", "")


def control_unit(m, i: int) -> str:
    """Unit of an actuator's control: a force's for a motor, a length's for a position servo, a speed's for a velocity servo; '' for other laws."""
    force, length = length_units(m, i)
    if int(m.actuator_gaintype[i]) != GAIN_FIXED or not length:
        return ""
    gain, bias = float(m.actuator_gainprm[i, 0]), m.actuator_biasprm[i]
    servo = int(m.actuator_biastype[i]) == BIAS_AFFINE
    if not servo:
        return force if int(m.actuator_dyntype[i]) == DYN_NONE and gain == 1.0 else ""
    if gain and abs(gain + bias[1]) <= NOTHING_TOLD * abs(gain):
        return length
    return f"{length}/s" if gain and not bias[1] and abs(gain + bias[2]) <= NOTHING_TOLD * abs(gain) else ""
