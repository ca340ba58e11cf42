"""Inferred limits, springs and ranges of joints, tendons and actuators; values of keyframes and relative poses that the initial pose gives."""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.inferred.rule import Inference, Look, Rule, figures, place
from physics.enums import DynType
from physics.schema.schema import lookup

# switch -> the range that it is about
_SWITCHES = MappingProxyType({
    "limited": "range", "actuatorfrclimited": "actuatorfrcrange", "ctrllimited": "ctrlrange", "forcelimited": "forcerange", "actlimited": "actrange",
})
_KEYS = MappingProxyType({"qpos": "the initial pose qpos0", "qvel": "zeros", "act": "zeros", "ctrl": "zeros", "mpos": "the mocap bodies' pos", "mquat": "the mocap bodies' orientation"})


def _switch(look: Look, attribute: str) -> Inference | None:
    """Whether a range counts, where the switch says auto."""
    if attribute not in look.attrs.spec.attributes or look.attrs[attribute] != "auto":
        return None
    name = _SWITCHES[attribute]
    if name not in look.attrs.spec.attributes:
        return None
    interval = look.numbers(name) or (0.0, 0.0)
    autolimits = look.compiler("autolimits")
    if attribute in ("ctrllimited", "actlimited") and (widened := _inherited(look, name)) is not None:
        return Inference(f"true: {name} is inherited", (*widened.inputs, *autolimits), value=(1.0,))
    if not any(interval):
        return Inference(f"false: there is no {name}", autolimits, value=(0.0,))
    if not look.settings.autolimits:
        return Inference(f"{look.words(name)} is given, but autolimits is off", (*look.input(name), *autolimits))
    on = interval[0] < interval[1]
    return Inference(f"{'true' if on else 'false'}: autolimits and {look.words(name)}{'' if on else ', which does not rise'}", (*look.input(name), *autolimits), value=(float(on),))


def _springdamper(look: Look, attribute: str) -> Inference | None:
    """Stiffness and damping from a time constant and a damping ratio, and the inertia at the initial pose."""
    pair = look.numbers("springdamper")
    if len(pair) != 2 or min(pair) <= 0:
        return None
    value = look.row("jnt_stiffness") if attribute == "stiffness" else ()
    if attribute == "damping" and look.item is not None:
        value = (float(look.model.dof_damping[look.model.jnt_dofadr[look.item[1]]]),)
    law = "inertia / (time constant x ratio)^2" if attribute == "stiffness" else "2 inertia / time constant"
    return Inference(f"{law} of {look.words('springdamper')}, inertia at the initial pose" + (f": {figures(value)}" if value else ""), look.input("springdamper"), (0,), value)


def _springlength(look: Look, attribute: str) -> Inference | None:
    if look.numbers("springlength") != (-1.0, -1.0):
        return None
    value = look.row("tendon_lengthspring")
    return Inference("length of the tendon at its springs' rest pose (qpos_spring)" + (f": {figures(value)} m" if value else ""), value=value)


def _length0(look: Look, attribute: str) -> Inference | None:
    kind = "tendon" if look.attrs.spec.path.startswith("tendon/") else "actuator"
    value = ()
    if look.item is not None and kind == "tendon":
        value = look.row("tendon_length0")
    elif look.item is not None:
        first = look.model.actuator_outadr[look.item[1]]
        value = tuple(look.model.actuator_length0[first:first + look.model.actuator_outnum[look.item[1]]].tolist())
    return Inference(f"{'length' if kind == 'tendon' else 'transmission length'} at the initial pose" + (f": {figures(value)}" if value else ""), value=value)


def _lengthrange(look: Look, attribute: str) -> Inference | None:
    given = look.numbers("lengthrange")
    if look.item is None:
        return None
    value = tuple(look.model.actuator_lengthrange[look.model.actuator_outadr[look.item[1]]].tolist())
    if not any(value) or value == given:
        return None
    return Inference(f"found by pulling both ways by simulation, or the limits of what it acts on (compiler/lengthrange): {figures(value)}", value=value)


def _target(look: Look):
    """The element that an actuator acts on: a joint or a tendon."""
    for attribute, sections in (("joint", ("worldbody",)), ("jointinparent", ("worldbody",)), ("tendon", ("tendon",))):
        name = look.element.attrs.get(attribute)
        for section in sections if name else ():
            for top in look.resolver.root.all(section):
                for element in top.walk():
                    if element.name == name and (element.tag == "joint" if section == "worldbody" else element.tag in ("fixed", "spatial")):
                        return element
    return None


def _inherited(look: Look, attribute: str) -> Inference | None:
    """A control range taken over from the joint or tendon."""
    name = look.attrs.spec.path.rpartition("/")[2]
    if attribute != ("actrange" if name == "intvelocity" else "ctrlrange") or not ((look.attrs.get("inheritrange") if look.given("inheritrange") else 0) or 0) > 0:
        return None
    own = look.numbers(attribute) if look.attrs.own(attribute) else ()
    target = _target(look)
    if any(own) or target is None:
        return None
    value = ()
    if look.item is not None:
        row = look.item[1]
        at = look.model.actuator_ctrladr[row]
        value = tuple((look.model.actuator_actrange[row] if attribute == "actrange" else look.model.actuator_ctrlrange[at]).tolist())
    return Inference(f"range of <{target.tag} {target.name}> ({place(target)}) about its middle, times {look.words('inheritrange')}" + (f": {figures(value)}" if value else ""),
                     (*look.input("inheritrange"), (target, "range")), value=value)


def _kv(look: Look, attribute: str) -> Inference | None:
    """The damping of a servo from a damping ratio: 2 ratio sqrt(kp mass)."""
    if look.attrs.own("kv") or not look.given("dampratio"):
        return None
    value = (-look.row("actuator_biasprm")[2],) if look.item is not None else ()
    return Inference(f"2 x {look.words('dampratio')} x sqrt(kp x inertia at the initial pose)" + (f": {figures(value)}" if value else ""), look.input("dampratio", "kp"), value=value)


def _biasprm(look: Look, attribute: str) -> Inference | None:
    """The third bias parameter of a general servo, where it is positive: a damping ratio."""
    if look.item is None or look.model is None:
        return None
    given, value = look.numbers(attribute), look.row("actuator_" + attribute)
    if look.element.tag != "general":
        words = look.input("kp", "kv", "dampratio", "area", "bias", "gain", "timeconst", "force", "range", "scale")
        return Inference(f"what <{look.element.tag}> stands for: {figures(value)}", words, value=value)
    if attribute == "biasprm" and len(given) > 2 and given[2] > 0 and value[2] < 0:
        return Inference(f"-2 x damping ratio {given[2]:g} x sqrt(gain x inertia at the initial pose): {value[2]:.6g}", look.input("biasprm", "gainprm"), (2,), (value[2],))
    return None


def _actdim(look: Look, attribute: str) -> Inference | None:
    if (look.attrs["actdim"] if "actdim" in look.attrs.spec.attributes else -1) != -1 or look.item is None:
        return None
    row = look.item[1]
    value = int(look.model.actuator_actnum[row])
    kind = DynType(int(look.model.actuator_dyntype[row])).name.lower()
    return Inference(f"{value}: dyntype {kind}", look.input("dyntype") if "dyntype" in look.attrs.spec.attributes else (), value=(float(value),))


def _relpose(look: Look, attribute: str) -> Inference | None:
    """The relative pose that a weld keeps, where none is given."""
    numbers = look.numbers("relpose")
    if any(numbers[3:]) or look.given("site1"):
        return None
    value = look.row("eq_data")
    value = (*value[3:6], *value[6:10]) if value else ()
    return Inference("the relative pose of the bodies in the initial pose" + (f": {figures(value)}" if value else ""), value=value)


def _key(look: Look, attribute: str) -> Inference | None:
    """What a keyframe leaves out."""
    value = look.row("key_" + attribute)
    given = len(look.numbers(attribute))
    if not value or given >= len(value):
        return None
    return Inference(f"{_KEYS[attribute]}: {figures(value[given:given + 8])}{' ...' if len(value) - given > 8 else ''}",
                     components=tuple(range(given, len(value))) if given else None, value=value[given:])


ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper", "cylinder", "muscle", "adhesion", "dcmotor")
TENDONS = ("tendon/spatial", "tendon/fixed")

RULES = (
    Rule("autolimits", "body/joint", ("limited", "actuatorfrclimited"), _switch),
    *(Rule("autolimits", path, ("limited", "actuatorfrclimited"), _switch) for path in TENDONS),
    *(Rule("autolimits", f"actuator/{tag}", tuple(name for name in _SWITCHES if name in lookup(f"actuator/{tag}").attributes), _switch) for tag in ACTUATORS),
    Rule("springdamper", "body/joint", ("stiffness", "damping"), _springdamper),
    *(Rule("rest length", path, ("springlength",), _springlength) for path in TENDONS),
    *(Rule("initial pose", path, ("length0",), _length0) for path in (*TENDONS, *(f"actuator/{tag}" for tag in ACTUATORS))),
    *(Rule("lengthrange", f"actuator/{tag}", ("lengthrange",), _lengthrange) for tag in ACTUATORS),
    *(Rule("inheritrange", f"actuator/{tag}", ("ctrlrange", "actrange"), _inherited) for tag in ("position", "intvelocity", "pid", "general")),
    *(Rule("dampratio", f"actuator/{tag}", ("kv",), _kv) for tag in ("position", "intvelocity", "orientation", "pid")),
    *(Rule("shortcut" if tag != "general" else "dampratio", f"actuator/{tag}", ("gainprm", "biasprm", "dynprm"), _biasprm) for tag in ACTUATORS),
    *(Rule("dyntype", f"actuator/{tag}", ("actdim",), _actdim) for tag in ACTUATORS),
    Rule("initial pose", "equality/weld", ("relpose",), _relpose),
    Rule("initial state", "keyframe/key", tuple(_KEYS), _key),
)
