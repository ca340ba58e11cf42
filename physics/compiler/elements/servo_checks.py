"""What the parameters of an actuator must satisfy together: controls and states of orientation servos, pid and motors; muscles."""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.items import ActuatorItem
from physics.enums import JNT_BALL, BiasType, CtrlChart, CtrlInput, DynType, GainType, TransmissionType
from physics.spec.actuator_counts import control_count, has_turns, inputs, output_count, state_count

_POS, _VEL, _FF, _VOLTAGE, _NONE = (int(CtrlInput[name]) for name in ("POS", "VEL", "FF", "VOLTAGE", "NONE"))
_SETPOINTS = _POS | _VEL | _FF
_DECLARED = (_POS, _VEL, int(CtrlInput.PRESSURE))


def controls(build: Build, item: ActuatorItem) -> None:
    """Set ctrlnum, outnum, the inputs in force and, where the law decides it, actdim."""
    item.ctrlspec = inputs(item)
    item.ctrlnum, item.outnum = control_count(item), output_count(item)
    if has_turns(item):
        _orientation(build, item)
    elif item.gaintype == GainType.PID:
        _pid(build, item)
    elif item.gaintype == GainType.DCMOTOR:
        _motor(build, item)
    else:
        if item.ctrlspec and not (item.gaintype in (GainType.FIXED, GainType.AFFINE) and item.ctrlspec in _DECLARED):
            build.problems.error(item.element, "this gain takes no such input", "fixed and affine gains may declare pos, vel or pressure", "input")
        if item.dyntype == DynType.PID:
            build.problems.error(item.element, "dyntype pid needs gaintype pid", attr="dyntype")


def _orientation(build: Build, item: ActuatorItem) -> None:
    element = item.element
    if item.gaintype != GainType.SO3 or item.biastype != BiasType.SO3:
        build.problems.error(element, "gaintype and biastype must both be so3, or neither", attr="gaintype")
    if item.dyntype not in (DynType.NONE, DynType.INTEGRATOR):
        build.problems.error(element, "so3 needs dyntype none or integrator", attr="dyntype")
    if item.gainprm[0] != -item.biasprm[1]:
        build.problems.error(element, "so3 needs a second bias parameter that is minus the first gain parameter", attr="biasprm")
    if item.trntype == TransmissionType.SITE:
        if item.trnid[1] < 0:
            build.problems.error(element, "an orientation servo on a site needs a refsite", attr="site")
    elif item.trntype != TransmissionType.JOINT or build.items["joint"][item.trnid[0]].type != JNT_BALL:
        build.problems.error(element, "an orientation servo needs a ball joint, or a site with a refsite", attr="joint")
    if item.dyntype == DynType.INTEGRATOR:
        if item.actdim > 0 and item.actdim != 3:
            build.problems.error(element, "an integrated orientation has 3 states", attr="actdim")
        item.actdim = state_count(item)
        if item.actlimited == "true" and not any(item.actrange):
            item.actlimited = "false"
    _orientation_input(build, item)
    limited = item.forcelimited == "true" or (item.forcelimited == "auto" and item.forcerange[0] < item.forcerange[1])
    if limited and item.forcerange[0] != 0:
        build.problems.error(element, "the range of the force's size must start at 0", attr="forcerange")


def _orientation_input(build: Build, item: ActuatorItem) -> None:
    if item.ctrlspec not in tuple(CtrlChart):
        build.problems.error(item.element, "the input of an orientation servo is expmap or quat", attr="input")
    if item.ctrlspec == CtrlChart.QUAT and item.dyntype != DynType.NONE:
        build.problems.error(item.element, "a quaternion input does not go with an activation", attr="input")


def _pid(build: Build, item: ActuatorItem) -> None:
    element = item.element
    if item.biastype != BiasType.AFFINE:
        build.problems.error(element, "gaintype pid needs biastype affine", attr="biastype")
    if item.dyntype not in (DynType.NONE, DynType.PID):
        build.problems.error(element, "gaintype pid needs dyntype none or pid", attr="dyntype")
    if item.dyntype == DynType.NONE and item.gainprm[0]:
        build.problems.error(element, "an integral gain needs dyntype pid", attr="dyntype")
    if item.trntype == TransmissionType.BODY:
        build.problems.error(element, "a pid cannot act through a body's contacts", attr="body")
    if item.ctrlspec & ~_SETPOINTS:
        build.problems.error(element, "the inputs of a pid are pos, vel and ff", attr="input")
    if item.dyntype == DynType.PID:
        if min(item.dynprm[:2]) < 0:
            build.problems.error(element, "imax and slewmax cannot be negative", attr="imax" if item.element.tag == "pid" else "dynprm")
        states = state_count(item)
        if item.actdim > 0 and item.actdim != states:
            build.problems.error(element, f"this pid has {states} states, actdim is {item.actdim}", attr="actdim")
        item.actdim = states
        if not item.ctrlspec & _POS:
            build.problems.error(element, "integral action and a slew rate need the input pos", attr="input")


def _motor(build: Build, item: ActuatorItem) -> None:
    element = item.element
    if item.ctrlspec != _NONE and item.ctrlspec & ~(_SETPOINTS | _VOLTAGE):
        build.problems.error(element, "the inputs of a motor are none, or pos, vel, ff and voltage", attr="input")
    setpoints = 0 if item.ctrlspec == _NONE else item.ctrlspec & _SETPOINTS
    gains = item.gainprm[4:7]
    if setpoints and item.gainprm[1] <= 0:
        build.problems.error(element, "setpoints need a positive motor constant", attr="input")
    if not setpoints and any(gains):
        build.problems.error(element, "the controller's gains need an input pos, vel or ff", attr="input")
    if gains[1] > 0 and not item.ctrlspec & _POS:
        build.problems.error(element, "the controller's integral gain needs the input pos", attr="input")
    if not setpoints and item.dynprm[7] > 0:
        build.problems.error(element, "a slew rate needs an input pos, vel or ff", attr="input")


def muscle(build: Build, item: ActuatorItem) -> None:
    """Parameters of a muscle's gain and bias."""
    for used, prm in ((item.gaintype == GainType.MUSCLE, item.gainprm), (item.biastype == BiasType.MUSCLE, item.biasprm)):
        if not used:
            continue
        if prm[0] >= prm[1]:
            build.problems.error(item.element, "the range of a muscle must rise", attr="range")
        if not prm[4] < 1 < prm[5]:
            build.problems.error(item.element, "a muscle needs lmin below 1 and lmax above 1", attr="lmin")
        if min(prm[3], prm[6], prm[7], prm[8]) <= 0:
            build.problems.error(item.element, "scale, vmax, fpmax and fvmax of a muscle must be positive", attr="scale")
