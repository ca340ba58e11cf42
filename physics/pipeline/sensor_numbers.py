"""What a sensor reads, beside the field that it is read from where there is one such number.

Source: MuJoCo documentation, XML reference, sensor.
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.enums import (
    OBJ_BODY,
    OBJ_GEOM,
    OBJ_SITE,
    OBJ_XBODY,
    SENS_ACTUATORFRC,
    SENS_ACTUATORPOS,
    SENS_ACTUATORVEL,
    SENS_CLOCK,
    SENS_FRAMEPOS,
    SENS_JOINTACTFRC,
    SENS_JOINTPOS,
    SENS_JOINTVEL,
    SENS_SUBTREECOM,
    SENS_TENDONPOS,
    SENS_TENDONVEL,
    SensorType,
    Stage,
)
from physics.pipeline.line import Line, n, named

_PLACES = MappingProxyType({OBJ_BODY: "xipos", OBJ_XBODY: "xpos", OBJ_GEOM: "geom_xpos", OBJ_SITE: "site_xpos"})


def sensors(m, v, b, t, stage: int) -> list[Line]:
    """The selected sensor where it is read in this stage (a Stage), else the first one that is."""
    mine = np.flatnonzero(m.sensor_needstage == stage)
    if not len(mine):
        word = {Stage.POS: "position", Stage.VEL: "velocity", Stage.ACC: "acceleration"}[Stage(stage)]
        return [Line(f"The model has no sensors that the {word} tells.")]
    i = t.sensor if t.sensor in mine else int(mine[0])
    adr, dim = int(m.sensor_adr[i]), int(m.sensor_dim[i])
    read = v.sensordata[adr:adr + dim]
    kind = int(m.sensor_type[i])
    head = f"sensordata<sub>{named(m, 'sensor', i)}</sub> ({SensorType(kind).name.lower()})"
    source, value = _source(m, v, kind, int(m.sensor_objid[i]), int(m.sensor_objtype[i]), int(m.sensor_reftype[i]))
    late = m.sensor_delay[i] > 0 or np.any(m.sensor_interval[i] > 0)
    if value is None or late:
        return [Line(f"{head} = {n(read)}")]
    cutoff, words = float(m.sensor_cutoff[i]), ""
    if cutoff > 0:
        value, words = np.clip(value, -cutoff, cutoff), f", within \u00b1{n(cutoff)}"
    value = np.atleast_1d(np.asarray(value, float))
    return [Line(f"{head} = {source} = {n(value)}{words}", value, read, "sensordata", adr)]


def _source(m, v, kind: int, obj: int, objtype: int, reftype: int) -> tuple[str, object]:
    """(name of the entry that the sensor shows, its value); None for what is computed from several."""
    entries = {
        SENS_JOINTPOS: ("qpos", m.jnt_qposadr), SENS_JOINTVEL: ("qvel", m.jnt_dofadr), SENS_JOINTACTFRC: ("qfrc_actuator", m.jnt_dofadr),
        SENS_TENDONPOS: ("ten_length", None), SENS_TENDONVEL: ("ten_velocity", None), SENS_SUBTREECOM: ("subtree_com", None),
        SENS_ACTUATORPOS: ("actuator_length", m.actuator_outadr), SENS_ACTUATORVEL: ("actuator_velocity", m.actuator_outadr),
        SENS_ACTUATORFRC: ("actuator_force", m.actuator_outadr),
    }
    if kind in entries:
        field, starts = entries[kind]
        k = obj if starts is None else int(starts[obj])
        return f"{field}[{k}]", getattr(v, field)[k]
    if kind == SENS_CLOCK:
        return "time", v.time
    if kind == SENS_FRAMEPOS and objtype in _PLACES and reftype == 0:
        field = _PLACES[objtype]
        return f"{field}[{obj}]", getattr(v, field)[obj]
    return "", None
