"""Sensors: what they look at, how many numbers they give, and when these can be computed."""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.items import SensorItem
from physics.compiler.source import numbers
from physics.enums import GEOM_HFIELD, GEOM_PLANE, GEOM_SDF, JNT_BALL, JNT_HINGE, JNT_SLIDE, ContactData, ObjType, RayData, SensorDataType, SensorType, Stage
from physics.spec.names import OBJECT_NAMESPACE

_POS, _VEL, _ACC = int(Stage.POS), int(Stage.VEL), int(Stage.ACC)
_S = SensorType
# tag -> type, attribute or kind of object, numbers, stage
_KINDS = MappingProxyType({
    "touch": (_S.TOUCH, "site", 1, _ACC), "accelerometer": (_S.ACCELEROMETER, "site", 3, _ACC), "velocimeter": (_S.VELOCIMETER, "site", 3, _VEL),
    "gyro": (_S.GYRO, "site", 3, _VEL), "force": (_S.FORCE, "site", 3, _ACC), "torque": (_S.TORQUE, "site", 3, _ACC),
    "magnetometer": (_S.MAGNETOMETER, "site", 3, _POS), "camprojection": (_S.CAMPROJECTION, "site", 2, _POS),
    "rangefinder": (_S.RANGEFINDER, "", 0, _POS), "jointpos": (_S.JOINTPOS, "joint", 1, _POS), "jointvel": (_S.JOINTVEL, "joint", 1, _VEL),
    "tendonpos": (_S.TENDONPOS, "tendon", 1, _POS), "tendonvel": (_S.TENDONVEL, "tendon", 1, _VEL),
    "actuatorpos": (_S.ACTUATORPOS, "actuator", 1, _POS), "actuatorvel": (_S.ACTUATORVEL, "actuator", 1, _VEL),
    "actuatorfrc": (_S.ACTUATORFRC, "actuator", 1, _ACC), "jointactuatorfrc": (_S.JOINTACTFRC, "joint", 1, _ACC),
    "tendonactuatorfrc": (_S.TENDONACTFRC, "tendon", 1, _ACC), "ballquat": (_S.BALLQUAT, "joint", 4, _POS),
    "ballangvel": (_S.BALLANGVEL, "joint", 3, _VEL), "jointlimitpos": (_S.JOINTLIMITPOS, "joint", 1, _POS),
    "jointlimitvel": (_S.JOINTLIMITVEL, "joint", 1, _VEL), "jointlimitfrc": (_S.JOINTLIMITFRC, "joint", 1, _ACC),
    "tendonlimitpos": (_S.TENDONLIMITPOS, "tendon", 1, _POS), "tendonlimitvel": (_S.TENDONLIMITVEL, "tendon", 1, _VEL),
    "tendonlimitfrc": (_S.TENDONLIMITFRC, "tendon", 1, _ACC), "framepos": (_S.FRAMEPOS, "obj", 3, _POS),
    "framequat": (_S.FRAMEQUAT, "obj", 4, _POS), "framexaxis": (_S.FRAMEXAXIS, "obj", 3, _POS), "frameyaxis": (_S.FRAMEYAXIS, "obj", 3, _POS),
    "framezaxis": (_S.FRAMEZAXIS, "obj", 3, _POS), "framelinvel": (_S.FRAMELINVEL, "obj", 3, _VEL),
    "frameangvel": (_S.FRAMEANGVEL, "obj", 3, _VEL), "framelinacc": (_S.FRAMELINACC, "obj", 3, _ACC),
    "frameangacc": (_S.FRAMEANGACC, "obj", 3, _ACC), "subtreecom": (_S.SUBTREECOM, "body", 3, _POS),
    "subtreelinvel": (_S.SUBTREELINVEL, "body", 3, _VEL), "subtreeangmom": (_S.SUBTREEANGMOM, "body", 3, _VEL),
    "insidesite": (_S.INSIDESITE, "obj", 1, _POS), "distance": (_S.GEOMDIST, "pair", 1, _POS), "normal": (_S.GEOMNORMAL, "pair", 3, _POS),
    "fromto": (_S.GEOMFROMTO, "pair", 6, _POS), "contact": (_S.CONTACT, "contact", 0, _ACC), "e_potential": (_S.E_POTENTIAL, "", 1, _POS),
    "e_kinetic": (_S.E_KINETIC, "", 1, _POS), "clock": (_S.CLOCK, "", 1, _POS), "user": (_S.USER, "obj", 0, _ACC),
    "tactile": (_S.TACTILE, "mesh", 0, _VEL),
})
_DATATYPES = MappingProxyType({
    _S.TOUCH: 1, _S.INSIDESITE: 1, _S.FRAMEXAXIS: 2, _S.FRAMEYAXIS: 2, _S.FRAMEZAXIS: 2, _S.GEOMNORMAL: 2, _S.BALLQUAT: 3, _S.FRAMEQUAT: 3,
})
_CONTACT_SIZES = (1, 3, 3, 1, 3, 3, 3, 3, 3)
_RAY_SIZES = (1, 3, 3, 3, 3, 1)
_REDUCE = ("none", "mindist", "maxforce", "netforce")
_INTERP = ("zoh", "linear", "cubic")
_SCALAR_JOINT = (_S.JOINTPOS, _S.JOINTVEL, _S.JOINTACTFRC)
_OF_ACTUATORS = (_S.ACTUATORPOS, _S.ACTUATORVEL, _S.ACTUATORFRC)   # one number for each output
_BALL_JOINT = (_S.BALLQUAT, _S.BALLANGVEL)
_LIMITS = (_S.JOINTLIMITPOS, _S.JOINTLIMITVEL, _S.JOINTLIMITFRC, _S.TENDONLIMITPOS, _S.TENDONLIMITVEL, _S.TENDONLIMITFRC)
_OPEN = (GEOM_PLANE, GEOM_HFIELD, GEOM_SDF)
_NAMELESS = ("frame", "dof")  # kinds whose elements have no names, or not by the time that sensors look for them
_MISSING = object()


def gather(build: Build) -> None:
    """Make the items of sensors; those of a kind or an object that is left out are left out."""
    for element in build.source.root.section("sensor"):
        if element.tag not in _KINDS:
            build.source.partial = True
            continue
        a = build.source.attrs(element)
        kind, attach, dim, stage = _KINDS[element.tag]
        first = _object(build, element, attach)
        second = _reference(build, element, attach)
        if first is _MISSING or second is _MISSING:
            build.source.partial = True
            continue
        sensor = build.items.add("sensor", element, type=int(kind), dim=dim, needstage=stage, datatype=_DATATYPES.get(kind, 0), obj=first,
                           ref=second, intprm=(0, 0, 0), cutoff=_get(a, "cutoff", 0.0), noise=_get(a, "noise", 0.0),
                           user=numbers(_get(a, "user", None)), delay=_get(a, "delay", 0.0), nsample=int(_get(a, "nsample", 0)),
                           interp=_INTERP.index(_get(a, "interp", "zoh")), interval=(*numbers(_get(a, "interval", None)), 0.0, 0.0)[:2])
        _special(build, a, sensor)
        _check(build, sensor)
        if not build.problems.room(element, "sensed and kept values", sensor.dim + max(0, sensor.nsample) * (1 + sensor.dim)):
            sensor.dim = sensor.nsample = 0
    for sensor in build.items["sensor"]:
        if sensor.obj[0] == ObjType.SENSOR:
            sensor.obj = sensor.obj[0], build.items.id("sensor", sensor.obj[1])


def _get(a, name: str, otherwise):
    if name not in a.spec.attributes:
        return otherwise
    value = a[name]
    return otherwise if value is None else value


def _find(build: Build, element, kind: str, name: str):
    """(ObjType, id) of a named object; _MISSING when it was left out."""
    space = OBJECT_NAMESPACE.get(kind)
    if space is None and kind in _NAMELESS:
        build.problems.error(element, f"a {kind} cannot be sensed by name", attr="objtype")
        return _MISSING
    if space is None:
        build.problems.warn(element, f"there is no kind of element called '{kind}'", "The sensor is attached to nothing", "objtype")
        return int(ObjType.UNKNOWN), -1
    if space == "sensor":
        return int(ObjType.SENSOR), name   # its id is known when all sensors are
    found = build.items.id(space, name) if space in build.items else -1
    return _MISSING if found < 0 else (int(ObjType[kind.upper()]), found)


def _object(build: Build, element, attach: str):
    attrs = element.attrs
    if attach == "obj":
        if "objname" not in attrs or "objtype" not in attrs:
            return int(ObjType.UNKNOWN), -1
        return _find(build, element, attrs["objtype"], attrs["objname"])
    if attach == "pair":
        return _first_of(build, element, (("body1", "body"), ("geom1", "geom")))
    if attach == "contact":
        return _first_of(build, element, (("site", "site"), ("body1", "body"), ("subtree1", "xbody"), ("geom1", "geom")))
    if element.tag == "rangefinder":
        return _first_of(build, element, (("site", "site"), ("camera", "camera")))
    return _first_of(build, element, ((attach, attach),)) if attach else (int(ObjType.UNKNOWN), -1)


def _first_of(build: Build, element, choices):
    for attribute, kind in choices:
        if attribute in element.attrs:
            return _find(build, element, kind, element.attrs[attribute])
    return int(ObjType.UNKNOWN), -1


def _reference(build: Build, element, attach: str):
    attrs = element.attrs
    if element.tag == "camprojection":
        return _first_of(build, element, (("camera", "camera"),))
    if element.tag == "insidesite":
        return _first_of(build, element, (("site", "site"),))
    if element.tag == "tactile":
        return _first_of(build, element, (("geom", "geom"),))
    if attach == "pair":
        return _first_of(build, element, (("body2", "body"), ("geom2", "geom")))
    if attach == "contact":
        return _first_of(build, element, (("body2", "body"), ("subtree2", "xbody"), ("geom2", "geom")))
    if "refname" in attrs and "reftype" in attrs:
        return _find(build, element, attrs["reftype"], attrs["refname"])
    return int(ObjType.UNKNOWN), -1


def _bits(build: Build, sensor: SensorItem, words, order) -> int:
    places = [int(order[w.upper()]) for w in words]
    if places != sorted(set(places)):
        build.problems.error(sensor.element, "the words of 'data' must be in the order " + ", ".join(x.name.lower() for x in order), attr="data")
    return sum(1 << k for k in set(places))


def _special(build: Build, a, sensor: SensorItem) -> None:
    """Sensors whose size depends on their settings."""
    if sensor.type in (_S.RANGEFINDER, _S.CONTACT):
        words = a["data"]
        words = (words,) if isinstance(words, str) else words
        contact = sensor.type == _S.CONTACT
        bits = _bits(build, sensor, words, ContactData if contact else RayData)
        size = sum(n for k, n in enumerate(_CONTACT_SIZES if contact else _RAY_SIZES) if bits >> k & 1)
        count = 1
        if contact:
            count = int(a["num"])
            if not 0 < count < 100000:
                build.problems.error(sensor.element, "num must be positive and not absurd", attr="num")
                count = 1
            sensor.intprm = (bits, _REDUCE.index(a["reduce"]), count)
            sensor.needstage = _contact_stage(build, sensor, words, a["reduce"])
        else:
            sensor.intprm = (bits, 0, 0)
            if sensor.obj[0] == ObjType.CAMERA:
                width, height = build.items["camera"][sensor.obj[1]].resolution
                count = int(width * height)
        sensor.dim = size * count
    elif sensor.type == _S.USER:
        sensor.dim, sensor.datatype = int(a["dim"]), int(SensorDataType[a["datatype"].upper()])
        sensor.needstage = int(Stage[a["needstage"].upper()])
        if not 0 <= sensor.dim < 10**6:
            build.problems.error(sensor.element, "dim must not be negative or absurd", attr="dim")
            sensor.dim = 0
        wanted = {SensorDataType.AXIS: 3, SensorDataType.QUATERNION: 4}.get(sensor.datatype, sensor.dim)
        if sensor.dim != wanted:
            build.problems.error(sensor.element, f"the datatype {a['datatype']} has {wanted} numbers, but dim is {sensor.dim}", attr="dim")
    elif sensor.type == _S.TACTILE:
        body = build.items["geom"][sensor.ref[1]].body if sensor.ref[1] >= 0 else None
        if not any(g.body is body and (g.contype or g.conaffinity) for g in build.items["geom"]):
            build.problems.error(sensor.element, "no geom of the body can touch anything", "Give the body a geom that collides", "geom")
        data = build.items["mesh"][sensor.obj[1]].data
        sensor.dim = 3 * len(data.vert) if data is not None else 0
    elif sensor.type in _OF_ACTUATORS and sensor.obj[1] >= 0:
        sensor.dim = build.items["actuator"][sensor.obj[1]].outnum
    elif sensor.type == _S.INSIDESITE and a["enclosed"]:
        sensor.datatype, sensor.intprm = int(SensorDataType.REAL), (1, 0, 0)
        _check_enclosed(build, sensor)


def _contact_stage(build: Build, sensor: SensorItem, words, reduce: str) -> int:
    """Forces come last; contacts themselves, and how near they are, are known with the positions."""
    moving = "linvel" in words or "angvel" in words
    if reduce == "netforce" and moving:
        build.problems.error(sensor.element, "a net force has no point whose velocity could be given", "Leave linvel and angvel out of data", "data")
    if reduce in ("maxforce", "netforce") or "force" in words or "torque" in words:
        return _ACC
    return _VEL if moving else _POS


def _check_enclosed(build: Build, sensor: SensorItem) -> None:
    """Only solid, finite, convex things can be wholly inside a site."""
    kind, which = sensor.obj
    if kind == ObjType.CAMERA:
        build.problems.error(sensor.element, "a camera has no volume that could be enclosed", attr="objtype")
    body = kind in (ObjType.BODY, ObjType.XBODY)
    geoms = [g for g in build.items["geom"] if (g.body.id if body else g.id) == which] if body or kind == ObjType.GEOM else []
    if body and not geoms:
        build.problems.error(sensor.element, "the body has no geoms that could be enclosed", attr="objname")
    for geom in geoms:
        if geom.type in _OPEN:
            build.problems.error(sensor.element, f"the geom '{geom.name}' is no compact convex shape", "It cannot be enclosed by a site", "objname")


def _check(build: Build, sensor: SensorItem) -> None:
    element = sensor.element
    for name in ("noise", "cutoff"):
        if not getattr(sensor, name) >= 0:
            build.problems.error(element, f"{name} cannot be negative", attr=name)
    kind, target = sensor.type, None
    if sensor.obj[0] in (ObjType.JOINT, ObjType.TENDON):
        target = build.items["joint" if sensor.obj[0] == ObjType.JOINT else "tendon"][sensor.obj[1]]
    if kind in _SCALAR_JOINT and target.type not in (JNT_HINGE, JNT_SLIDE):
        build.problems.error(element, "this sensor needs a hinge or slide", attr="joint")
    if kind in _BALL_JOINT and target.type != JNT_BALL:
        build.problems.error(element, "this sensor needs a ball joint", attr="joint")
    if kind in _LIMITS and not target.limited:
        build.problems.error(element, f"'{target.name}' has no limits to sense")
    if sensor.cutoff > 0 and sensor.datatype in (2, 3) and kind != _S.GEOMNORMAL:
        build.problems.error(element, "a cutoff does not go with axes and quaternions", attr="cutoff")
    if element.tag in ("distance", "normal", "fromto") and sensor.obj == sensor.ref:
        build.problems.error(element, "the two bodies or geoms must differ")
    if sensor.delay > 0 and sensor.nsample <= 0:
        build.problems.error(element, "a delay needs nsample, the number of values kept", attr="delay")
    if element.tag == "insidesite" and sensor.ref[1] < 0:
        build.problems.error(element, "'site' is missing")
    _check_interval(build, sensor)
    if kind in (_S.RANGEFINDER,) and sensor.obj[1] < 0:
        build.problems.error(element, "a rangefinder needs a site or a camera")


def _check_interval(build: Build, sensor: SensorItem) -> None:
    period, phase = sensor.interval
    if not period >= 0:
        build.problems.error(sensor.element, "the interval cannot be negative", attr="interval")
    elif not phase <= 0 or 0 < period <= -phase:
        build.problems.error(sensor.element, f"the second number of interval, {phase:g}, must be above {-period:g} and at most 0", attr="interval")


def fill(build: Build) -> None:
    """Fields sensor_*."""
    items, out = build.items["sensor"], build.fields.rows
    build.fields.column("sensor", sensor_type="type", sensor_datatype="datatype", sensor_needstage="needstage", sensor_intprm="intprm",
                 sensor_dim="dim", sensor_cutoff="cutoff", sensor_noise="noise", sensor_delay="delay", sensor_interval="interval")
    for name, attribute in (("obj", "obj"), ("ref", "ref")):
        out[f"sensor_{name}type"] = [getattr(s, attribute)[0] for s in items]
        out[f"sensor_{name}id"] = [getattr(s, attribute)[1] for s in items]
    out["sensor_history"] = [(s.nsample, s.interp) for s in items]
    build.fields.user("sensor", "nuser_sensor", "sensor_user")
    adr, adrs, history, historyadr = 0, [], build.fields.sizes["nhistory"], []
    for s in items:
        adrs.append(adr)
        adr += s.dim
        historyadr.append(history if s.nsample > 0 else -1)
        history += 2 + s.nsample * (1 + s.dim) if s.nsample > 0 else 0
    out["sensor_adr"], out["sensor_historyadr"] = adrs, historyadr
    build.fields.sizes.update(nsensordata=adr, nhistory=history)
