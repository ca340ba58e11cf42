"""Contact rules, tendons, equality constraints and actuators."""
from __future__ import annotations

from physics.enums import (
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    GAIN_DCMOTOR,
    GAIN_PID,
    GAIN_SO3,
    INPUT_FF,
    INPUT_NONE,
    INPUT_VEL,
    OBJ_SITE,
    TENDON_FIXED,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
    WRAP_JOINT,
    WRAP_PULLEY,
    WRAP_SITE,
    CtrlChart,
    CtrlInput,
    DynType,
    EqType,
)
from physics.schema.numbers import format_float
from physics.schema.schema import lookup
from physics.writer import tables
from physics.writer.bodies import limit
from physics.writer.draft import Draft, Node
from physics.writer.rows import attributes, bit_words, listing, numbers
from physics.writer.start_pose import StartPose, same

_APPEARANCE = ("width", "material", "rgba")   # a fixed tendon can have them from its class only
_HOLDS = ((GAIN_PID, "pos vel"), (GAIN_DCMOTOR, "voltage"), (GAIN_SO3, "expmap"))   # inputs that a gain has unless told otherwise


def write(draft: Draft) -> None:
    """The sections contact, tendon, equality and actuator."""
    for tag, part in (("contact", _contact), ("tendon", _tendons), ("equality", _equalities), ("actuator", _actuators)):
        section = Node(tag)
        part(draft, section)
        if section.children:
            draft.root.children.append(section)


def _contact(draft: Draft, section: Node) -> None:
    m = draft.model
    for index in range(m.npair):
        draft.element(section, "contact/pair", "pair", index, attributes(draft, "contact/pair", tables.PAIR, index))
    for index, signature in enumerate(m.exclude_signature.tolist()):
        bodies = {"body1": draft.refer("body", signature >> 16), "body2": draft.refer("body", signature & 0xFFFF)}
        draft.element(section, "contact/exclude", "exclude", index, bodies)


# tendons


def _tendons(draft: Draft, section: Node) -> None:
    m = draft.model
    for t in range(m.ntendon):
        tag = "tendon/fixed" if m.tendon_type[t] == TENDON_FIXED else "tendon/spatial"
        attrs = attributes(draft, "tendon/spatial", tables.TENDON, t)
        limit(attrs, "limited", m.tendon_limited[t], m.tendon_range[t])
        limit(attrs, "actuatorfrclimited", m.tendon_actfrclimited[t], m.tendon_actfrcrange[t])
        if tag == "tendon/fixed":
            looks = {name: attrs.pop(name) for name in _APPEARANCE if name in attrs}
            if looks:
                attrs["class"] = _appearance_class(draft, looks)
        node = draft.element(section, tag, "tendon", t, attrs)
        for item in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
            _path_item(draft, node, item)


def _appearance_class(draft: Draft, looks: dict[str, str]) -> str:
    """A default class for what a fixed tendon cannot say itself."""
    default = next((n for n in draft.root.children if n.path == "default"), None)
    if default is None:
        default = Node("default")
        draft.root.children.insert(next(k for k, n in enumerate(draft.root.children) if n.path in ("asset", "worldbody")), default)
    for known in default.children:
        if known.children[0].attrs == looks:
            return known.attrs["class"]
    name = f"fixed_tendon_{len(default.children)}"
    default.add("default", {"class": name}).add("default/tendon", looks)
    return name


def _path_item(draft: Draft, node: Node, item: int) -> None:
    m = draft.model
    kind, target, value = int(m.wrap_type[item]), int(m.wrap_objid[item]), float(m.wrap_prm[item])
    if kind == WRAP_JOINT:
        node.add("tendon/fixed/joint", {"joint": draft.refer("joint", target), "coef": format_float(value)})
    elif kind == WRAP_PULLEY:
        node.add("tendon/spatial/pulley", {"divisor": format_float(value)})
    elif kind == WRAP_SITE:
        node.add("tendon/spatial/site", {"site": draft.refer("site", target)})
    else:
        side = draft.refer("site", int(value)) if value >= 0 else None
        node.add("tendon/spatial/geom", {"geom": draft.refer("geom", target), "sidesite": side})


# equality constraints


def _equalities(draft: Draft, section: Node) -> None:
    m, start = draft.model, StartPose(draft.model)
    for e in range(m.neq):
        kind = int(m.eq_type[e])
        path = f"equality/{EqType(kind).name.lower()}"
        if kind not in (EQ_CONNECT, EQ_WELD, EQ_JOINT, EQ_TENDON, EQ_DISTANCE):
            draft.warn(f"{draft.title('equality', e)}: constraints of this kind are not written")
            continue
        spec, data = lookup(path).attributes, m.eq_data[e]
        attrs = {**attributes(draft, path, tables.EQUALITY, e), **_constrained(draft, e)}
        if kind in (EQ_JOINT, EQ_TENDON):
            attrs["polycoef"] = numbers(spec["polycoef"], data[:5])
        elif kind == EQ_DISTANCE:
            attrs["distance"] = numbers(spec["distance"], data[0])
        elif kind == EQ_CONNECT and m.eq_objtype[e] != OBJ_SITE:
            attrs["anchor"] = listing(data[:3])
            one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
            if not same(data[3:6], start.carried(data[:3].tolist(), one, two)):
                draft.warn(f"{draft.title('equality', e)}: eq_data holds a second anchor that is not the first one's place in the initial pose, from which it follows")
        elif kind == EQ_WELD:
            attrs["torquescale"] = numbers(spec["torquescale"], data[10])
            if m.eq_objtype[e] != OBJ_SITE:
                attrs["anchor"] = numbers(spec["anchor"], data[:3])
                if not (data[11] and _as_at_start(m, e, start)):   # else it follows from qpos0, also later
                    attrs["relpose"] = listing(data[3:10])
        draft.element(section, path, "equality", e, attrs)


def _as_at_start(m, e: int, start: StartPose) -> bool:
    """Whether a weld holds its bodies as they are in the initial pose."""
    data, one, two = m.eq_data[e], int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
    quat = start.turned(two, one)
    return same(data[3:6], start.carried(data[:3].tolist(), two, one)) and (same(data[6:10], quat) or same(-data[6:10], quat))


def _constrained(draft: Draft, e: int) -> dict[str, str]:
    m = draft.model
    kind = int(m.eq_type[e])
    what = "geom" if kind == EQ_DISTANCE else "joint" if kind == EQ_JOINT else "tendon" if kind == EQ_TENDON else "site" if m.eq_objtype[e] == OBJ_SITE else "body"
    one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
    found = {what + "1": draft.refer(what, one)}
    if two > 0 or (two == 0 and what != "body"):
        found[what + "2"] = draft.refer(what, two)
    return found


# actuators


def _actuators(draft: Draft, section: Node) -> None:
    """All as <general>: it can say everything that the shortcuts can."""
    m, spec = draft.model, lookup("actuator/general").attributes
    for a in range(m.nactuator):
        out = int(m.actuator_outadr[a])
        attrs = attributes(draft, "actuator/general", tables.ACTUATOR, a, actuator_gear=out, actuator_lengthrange=out)
        attrs.update(_acts_on(draft, a))
        attrs["input"] = _inputs(m, a)
        _control_ranges(draft, a, attrs)
        limit(attrs, "forcelimited", m.actuator_forcelimited[a], m.actuator_forcerange[a])
        limit(attrs, "actlimited", m.actuator_actlimited[a], m.actuator_actrange[a])
        stateful = m.actuator_dyntype[a] != DynType.NONE and m.actuator_dyntype[a] != DynType.DCMOTOR
        attrs["actdim"] = numbers(spec["actdim"], m.actuator_actnum[a]) if m.actuator_actnum[a] != stateful else None
        if (m.actuator_biastype[a] == 1 and m.actuator_gaintype[a] == 0 and m.actuator_biasprm[a, 2] > 0
                and m.actuator_gainprm[a, 0] == -m.actuator_biasprm[a, 1]):
            draft.warn(f"{draft.title('actuator', a)}: its positive third bias parameter will be read as a damping ratio")
        draft.element(section, "actuator/general", "actuator", a, attrs)


def _acts_on(draft: Draft, a: int) -> dict[str, str]:
    m = draft.model
    kind, (first, second) = int(m.actuator_trntype[a]), m.actuator_trnid[a].tolist()
    if kind == TRN_SLIDERCRANK:
        return {"cranksite": draft.refer("site", first), "slidersite": draft.refer("site", second)}
    if kind in (TRN_SITE, TRN_SO3) and second >= 0 or kind == TRN_SITE:
        return {"site": draft.refer("site", first), "refsite": draft.refer("site", second) if second >= 0 else None}
    for trn, name, space in ((TRN_JOINT, "joint", "joint"), (TRN_SO3, "joint", "joint"), (TRN_JOINTINPARENT, "jointinparent", "joint"),
                             (TRN_TENDON, "tendon", "tendon"), (TRN_BODY, "body", "body")):
        if kind == trn:
            return {name: draft.refer(space, first)}
    draft.warn(f"{draft.title('actuator', a)}: what it acts on cannot be written")
    return {}


def _inputs(m, a: int) -> str | None:
    """What its controls are, where that is not what its gain implies."""
    gain, bits = int(m.actuator_gaintype[a]), int(m.actuator_ctrlspec[a])
    if not bits or bits == INPUT_NONE:
        return None
    words = CtrlChart(bits).name.lower() if gain == GAIN_SO3 else " ".join(bit_words(CtrlInput, bits))
    return None if words == dict(_HOLDS).get(gain) else words


def _control_ranges(draft: Draft, a: int, attrs: dict[str, str]) -> None:
    """One range per control; only those of a pid have attributes of their own."""
    m = draft.model
    first, count = int(m.actuator_ctrladr[a]), int(m.actuator_ctrlnum[a])
    names, bits = ["ctrlrange"] * count, int(m.actuator_ctrlspec[a])
    if m.actuator_gaintype[a] == GAIN_PID:
        names = ["ctrlrange"] * bool(bits & ~(INPUT_VEL | INPUT_FF)) + ["velrange"] * bool(bits & INPUT_VEL) + ["ffrange"] * bool(bits & INPUT_FF)
    spec = lookup("actuator/general").attributes
    for k, name in enumerate(names[:count]):
        interval, limited = m.actuator_ctrlrange[first + k], bool(m.actuator_ctrllimited[first + k])
        if name == "ctrlrange" and k == 0:
            attrs[name] = numbers(spec[name], interval)
            limit(attrs, "ctrllimited", limited, interval)
        elif name != "ctrlrange":
            attrs[name] = numbers(spec[name], interval)   # these count wherever they rise
        elif (interval != m.actuator_ctrlrange[first]).any() or limited != m.actuator_ctrllimited[first]:
            draft.warn(f"{draft.title('actuator', a)}: the ranges of its controls differ; the first is written for all")
