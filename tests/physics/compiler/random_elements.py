"""Random elements over the language's table, compiled by us and by the official compiler: both refuse, or every field agrees.

`python -m tests.physics.compiler.random_elements actuator --count 2000 --seed 1` prints each case that differs.
"""
import argparse
import random
import re
import sys
from collections import Counter
from types import MappingProxyType

from physics.schema import schema
from tests.oracle.compiled import compare_compiled
from tests.oracle.names import wrong_names
from tests.physics.compiler.compared import official, ours

WORLD = """<worldbody><site name="sw" pos="1 1 1"/><geom name="gp" type="plane" size="1 1 1" friction=".5 .01 .002" solref=".01 1.5" margin=".01"/>
<camera name="ca" pos="0 -1 1" resolution="6 4"/><camera name="cb"/><light name="li"/>
<body name="ba" pos=".1 .2 .3" euler="10 20 30"><joint name="jh" ref="20" range="-40 60" armature=".1"/><geom name="ga" size=".1" priority="1" condim="4"/>
 <site name="sa" pos=".1 0 0" euler="0 20 0"/>
 <body name="bb" pos="1 0 0" euler="0 50 0"><joint name="jb" type="ball" pos=".1 0 0" range="0 50"/>
  <geom name="gb" type="box" size=".2 .1 .1" condim="1" solmix="3" solref="-100 -3" gap=".02" adhesion="2"/><site name="sb" pos="0 .3 0" euler="0 0 30" type="box" size=".5 .4 .3"/>
  <body name="bc" pos="0 0 .5"><joint name="js" type="slide" axis="0 1 1" pos=".1 .2 0" range="-1 2"/><joint name="jk" axis="1 1 0" damping=".2"/>
   <geom name="gc" type="capsule" size=".05 .1" solref=".05 1" solimp=".8 .9 .01 .4 3" priority="1" friction="2 1 1"/><site name="sc" pos="0 .3 .1"/></body></body></body>
<body name="bf" pos="0 2 1"><freejoint name="jf"/><geom name="gf" size=".1" solmix="0"/><site name="sf" pos=".1 .2 .3"/></body>
<body name="bm" mocap="true" pos="2 2 2"><geom name="gm" size=".1"/></body></worldbody>
<tendon><fixed name="ta" range="-1 1"><joint joint="jh" coef="2"/><joint joint="jk" coef="-1"/></fixed><fixed name="tb"><joint joint="js" coef="1.5"/></fixed></tendon>"""
# what stands beside the sections under test, unless it is one of them
BESIDE = MappingProxyType({
    "actuator": '<motor name="ma" joint="jh"/><general name="mb" tendon="tb" dyntype="filter"/>',
    "sensor": '<clock name="ka"/>',
    "equality": '<joint name="ea" joint1="js"/>',
    "contact": '<pair name="pa" geom1="ga" geom2="gf"/><exclude name="xa" body1="ba" body2="bf"/>',
    "custom": '<numeric name="na" data="1 2"/><text name="xt" data="a"/><tuple name="tu"><element objtype="body" objname="ba"/></tuple>',
    "keyframe": '<key name="ke"/>',
})
NAMES = MappingProxyType({
    "joint": ("jh", "js", "jk", "jh", "jk", "jb", "jf"), "tendon": ("ta", "tb"), "site": ("sw", "sa", "sb", "sc", "sf"), "body": ("ba", "bb", "bc", "bf", "bm", "world"),
    "geom": ("gp", "ga", "gb", "gc", "gf", "gm"), "camera": ("ca", "cb"), "mesh": ("me",), "light": ("li",), "actuator": ("ma", "mb"), "sensor": ("ka",), "equality": ("ea",),
    "pair": ("pa",), "exclude": ("xa",), "numeric": ("na",), "text": ("xt",), "tuple": ("tu",), "key": ("ke",), "default": ("c0", "c1", "c2", "main"),
})
SECTIONS = MappingProxyType({
    "equality": ("equality/connect", "equality/weld", "equality/joint", "equality/tendon"),
    "contact": ("contact/pair", "contact/pair", "contact/exclude"),
    "actuator": tuple(p for p in schema.paths() if p.startswith("actuator/") and p.count("/") == 1 and p != "actuator/plugin"),
    "sensor": tuple(p for p in schema.paths() if p.startswith("sensor/") and p.count("/") == 1 and p != "sensor/plugin"),
    "custom": ("custom/numeric", "custom/text", "custom/tuple"),
    "keyframe": ("keyframe/key",),
    "option": ("option",), "size": ("size",), "statistic": ("statistic",), "visual": ("visual",),
})
DEFAULTS = MappingProxyType({
    "equality": ("equality",), "contact": ("pair",),
    "actuator": tuple(p.split("/")[1] for p in SECTIONS["actuator"]),
})
REALS = ("0", "1", "1", "0.5", "2", "0.1", "-0.3", "1e-3", "10", "3.5", "100", "0.7", "1", "0", "0.2")
RANGES = ("0 0", "-1 1", "0 1", "-.5 .5", "0 2", "-2 0", "-1 3", ".2 .8", "0 1", "-1 1")
BAD_RANGES = ("1 0", "1 1")
INTS = ("0", "1", "2", "3", "-1", "1", "2", "4", "6")
LISTS = MappingProxyType({  # attribute -> values that make sense more often than random ones would
    "delay": ("0", "0.01", "0", "-1"), "nsample": ("0", "2", "5"), "condim": ("1", "3", "4", "6", "2", "-1"), "cutoff": ("0", "1", "2"),
    "noise": ("0", "1"), "interval": ("0", ".1", ".1 -.05", ".1 0", ".1 .1", "-1"), "actdim": ("-1", "0", "1", "2", "3"), "num": ("1", "2", "5", "0"),
    "group": ("0", "1", "3", "9"), "armature": ("0", "1", ".02"), "dim": ("1", "3", "4", "0", "-1"), "user": ("", "1", "1 2", "1 2 3 4"), "data": ("1", "1 2 3"),
    "relpose": ("1 2 3 1 0 0 0", "0 1 0 0 0 0 0", "1 1 1 2 1 0 1", "0 0 0 0 0 0 0"), "timestep": (".001", ".01", "1"), "nkey": ("0", "1", "3"),
    "actuatorgroupdisable": ("0", "1 2", "30", "31", ""), "meansize": ("1", ".1"), "inheritrange": ("0", "1", ".5", "2", "-1"), "kp": ("1", "5", "100", "0"),
    "kv": ("0", "1", "5"), "dampratio": ("0", "1", ".5"), "gear": ("1", "2", "-3", "1 0 2", "0 0 1 .5 .2 3"),
    "fovy": ("45", "90", "1"), "noslip_iterations": ("0", "2"), "ls_iterations": ("0", "9"), "ccd_iterations": ("1", "9"), "tolerance": ("0", "1e-3"),
    "ls_tolerance": ("0", ".1"), "noslip_tolerance": ("0", ".1"), "ccd_tolerance": ("0", ".1"),
    "memory": ("100K", "2M", "5G", "-1", "100000", "3x", "1.5M"),
    "viscosity": ("0", "1"), "density": ("0", "2"), "impratio": ("1", "10"), "iterations": ("0", "5"),
})


OLD = ("apirate", "collision", "mpr_iterations", "mpr_tolerance", "passive", "sensornoise", "convexhull", "exactmeshinertia")  # no longer of the language
KEY_LENGTHS = MappingProxyType({"qpos": 14, "qvel": 12, "act": 1, "ctrl": 2, "mpos": 3, "mquat": 4, "plastic": 0})


class Maker:
    """Random elements; `odd` is how often something is likely wrong."""

    def __init__(self, rng: random.Random, odd: float = 0.03):
        self.rng, self.odd, self.count = rng, odd, 0

    def value(self, attribute) -> str:
        rng, name = self.rng, attribute.name
        odd = rng.random() < self.odd
        if attribute.type == "ref":
            return "none" if odd else rng.choice(NAMES.get(attribute.namespace, ("none",)))
        if attribute.type == "id":
            self.count += 1
            return f"n{self.count}"
        if attribute.type == "words":
            words = [w for w in attribute.values if rng.random() < 0.4] or [attribute.values[0]]
            return " ".join(words if not odd else reversed(words))
        if attribute.values:
            return "wrong" if odd else rng.choice(attribute.values)
        if name in LISTS and not odd:
            return rng.choice(LISTS[name])
        if attribute.type in ("real", "int"):
            return self.numbers(attribute, odd)
        return rng.choice(("a", "b c", "x"))

    def numbers(self, attribute, odd: bool) -> str:
        rng = self.rng
        if attribute.path.endswith(("damper", "adhesion")) and attribute.name == "ctrlrange" and not odd:
            return rng.choice(("0 1", ".2 3"))
        if attribute.path == "keyframe/key" and attribute.name in KEY_LENGTHS:
            full = KEY_LENGTHS[attribute.name]
            count = rng.choice((full, full, max(0, full - rng.randrange(3)), full + odd))
            return " ".join(f"{rng.gauss(0, 1):.3f}" for _ in range(count))
        if attribute.name in ("motorconst", "resistance", "nominal", "thermal", "lugre") and not odd:
            count = rng.choice([n for n in attribute.counts or (1,)])
            return " ".join(rng.choice(("1", ".1", "0", "2", "24", ".05", "3", ".7")[attribute.name in ("motorconst", "resistance"):]) for _ in range(count))
        if attribute.name.endswith("range") and attribute.type == "real" and attribute.counts and max(attribute.counts) == 2:
            return rng.choice(BAD_RANGES if odd else RANGES)
        counts = list(attribute.counts) if attribute.counts is not None else [0, 1, 2, 4]
        count = rng.choice(counts) + (1 if odd else 0)
        if len(counts) > 1 and rng.random() < 0.4:
            count = counts[-1]
        pool = REALS if attribute.type == "real" else INTS
        return " ".join(rng.choice(pool) if rng.random() < 0.9 or attribute.type == "int" else f"{rng.gauss(0, 1):.4f}" for _ in range(count))

    def wanted(self, spec, density: float) -> list[str]:
        """Attributes to give: the required ones, some others, and the exclusive ones mostly as the rules want them."""
        rng = self.rng
        names = [n for n, a in spec.attributes.items() if a.required and rng.random() > self.odd or rng.random() < density]
        for kind, units in spec.rules:
            if rng.random() < self.odd:
                continue
            if kind in ("exclusive", "oneof"):
                keep = rng.choice(units) if kind == "oneof" or rng.random() < 0.7 else ()
                drop = {n for u in units for n in u if u is not keep} - set(keep)
                names = [n for n in names if n not in drop] + [n for n in keep if n not in names]
        return names

    def element(self, path: str, density: float = 0.25, skip: tuple = ()) -> str:
        spec = schema.lookup(path)
        names = [n for n in self.wanted(spec, density) if n not in skip and n not in OLD]
        if path.startswith("actuator/"):
            names = self.transmission(spec, names)
        if "kv" in names and "dampratio" in names and self.rng.random() > self.odd:
            names.remove(self.rng.choice(("kv", "dampratio")))
        if spec.tag == "dcmotor" and self.rng.random() > self.odd:
            names += [n for n in self.rng.choice((("motorconst", "resistance"), ("nominal",), ("nominal", "resistance"))) if n not in names]
        names += [n for n in ("objtype", "objname") if n in spec.attributes and n not in names and self.rng.random() < 0.8]
        values = {n: self.value(spec.attributes[n]) for n in names}
        for kind, name in (("objtype", "objname"), ("reftype", "refname")):
            if name in values and values.get(kind):
                if schema.lookup(path).attributes[kind].type == "str":
                    values[kind] = self.rng.choice(("body", "xbody", "geom", "site", "camera", "joint", "tendon", "actuator", "numeric", "bad"))
                space = "body" if values[kind] == "xbody" else values[kind]
                values[name] = self.rng.choice(NAMES.get(space, ("none",)))
        inner = "".join(self.element(f"{path}/{c}") for c in spec.children for _ in range(self.rng.choice((1, 1, 2, 3)))) if path == "custom/tuple" else ""
        if path in ("option", "visual"):
            inner = "".join(self.element(f"{path}/{c}", density) for c in spec.children if self.rng.random() < 0.4)
        text = " ".join(f'{n}="{v}"' for n, v in values.items())
        return f"<{spec.tag} {text}>{inner}</{spec.tag}>" if inner else f"<{spec.tag} {text}/>"

    def transmission(self, spec, names) -> list[str]:
        """Mostly one thing to act on."""
        if self.rng.random() < self.odd:
            return names
        every = ("joint", "jointinparent", "tendon", "slidersite", "cranksite", "site", "refsite", "body")
        names = [n for n in names if n not in every and n != "cranklength"]
        choices = [c for c in (("joint",), ("joint",), ("joint",), ("jointinparent",), ("tendon",), ("site",), ("site", "refsite"),
                               ("cranksite", "slidersite", "cranklength"), ("body",)) if all(n in spec.attributes for n in c)]
        choice = self.rng.choice(choices)
        return [n for n in names if n not in choice] + list(choice)

    def defaults(self, tags) -> str:
        """A small tree of default classes."""
        rng = self.rng

        def inside(depth: int, name: str) -> str:
            own = "".join(self.element(f"default/{tag}", rng.choice((0.1, 0.3))) for tag in rng.sample(tags, min(len(tags), rng.choice((0, 1, 1, 2)))))
            nested = f'<default class="{name}">{inside(depth + 1, name + "x")}</default>' if depth < 1 and rng.random() < 0.5 else ""
            return own + nested
        classes = "".join(f'<default class="c{k}">{inside(0, f"c{k}x")}</default>' for k in range(3))
        return f'<default>{inside(1, "") if rng.random() < 0.3 else ""}{classes}</default>'


def classes(rng: random.Random) -> str:
    """A model with actuators in a tree of default classes, each with several actuator defaults."""
    maker, tags = Maker(rng, 0.0), DEFAULTS["actuator"]
    names = []

    def inside(depth: int) -> str:
        own = "".join(maker.element(f"default/{tag}", rng.choice((0.0, 0.1, 0.2))) for tag in rng.sample(tags, rng.choice((0, 1, 1, 2))))
        for _ in range(rng.choice((0, 1, 2)) if depth < 3 else 0):
            names.append(f"c{len(names)}")
            own += f'<default class="{names[-1]}">{inside(depth + 1)}</default>'
        return own
    head = f"<default>{inside(0)}</default>"
    elements = []
    for _ in range(3):
        spec = schema.lookup(rng.choice(SECTIONS["actuator"]))
        ball = spec.tag == "orientation"
        target = 'body="ba"' if spec.tag == "adhesion" else f'joint="{"jb" if ball else "jh"}" ' + ('motorconst="1" resistance="2"' if spec.tag == "dcmotor" else "")
        extra = "" if rng.random() < 0.5 else maker.element(spec.path, 0.1, ("class", "name", "joint", "body")).partition(" ")[2][:-2]
        extra = re.sub(r'\b(joint|jointinparent|tendon|site|refsite|cranksite|slidersite|cranklength|lengthrange|body|motorconst|resistance)="[^"]*" ?', "", extra)
        name = rng.choice(["", *names])
        lengths = "lengthrange='0 1'" if "lengthrange" in spec.attributes else ""
        elements.append(f"<{spec.tag} {target} {lengths} {extra} {f'class={chr(34)}{name}{chr(34)}' if name else ''}/>")
    return f"<mujoco>{head}{WORLD}<actuator>{''.join(elements)}</actuator></mujoco>"


def case(section: str, seed: int) -> str:
    """A model with a few random elements of a section; 'classes' for actuators in many default classes."""
    if section == "classes":
        return classes(random.Random(seed))
    rng = random.Random(f"{section} {seed}")
    maker = Maker(rng, rng.choice((0.0, 0.0, 0.01, 0.05)))
    has_defaults = section in DEFAULTS and rng.random() < 0.5
    skip = () if has_defaults else ("class",)
    density = rng.choice((0.05, 0.15, 0.3))
    head = maker.defaults(DEFAULTS[section]) if has_defaults else "<default><default class='c0'/><default class='c1'/><default class='c2'/></default>"
    elements = [maker.element(rng.choice(SECTIONS[section]), density, skip) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    parts = {name: f"<{name}>{inner}{''.join(elements) if name == section else ''}</{name}>" for name, inner in BESIDE.items()}
    lone = "".join(elements) if section not in parts else ""
    asset = '<asset><mesh name="me" builtin="plate" params="5 4" scale=".1 .1 .1"/></asset>' if "<tactile" in parts["sensor"] else ""
    if section in ("actuator", "sensor") and rng.random() < 0.15:
        lone += rng.choice(('<compiler autolimits="false"/>', f'<size nuser_{section}="{rng.choice("0234")}"/>'))
    return f"<mujoco>{lone}{head}{asset}{WORLD}{''.join(parts.values())}</mujoco>"


def differs(text: str, ignore=()) -> str:
    """'' where both refuse a model or all its fields agree, else what is off."""
    mine, theirs = ours(text), official(text)
    if isinstance(mine, str) or isinstance(theirs, str):
        same = isinstance(mine, str) and isinstance(theirs, str)
        return "" if same else f"ours: {mine if isinstance(mine, str) else 'ok'} | official: {theirs if isinstance(theirs, str) else 'ok'}"
    off = compare_compiled(mine, theirs)[1]
    what = [f"{n} {d:.2g}" for n, d in off.items() if n not in ignore]
    return "; ".join([*what, *wrong_names(mine, theirs).values()])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("section", choices=sorted((*SECTIONS, "classes")))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=8)
    parser.add_argument("--ignore", nargs="*", default=(), help="fields not to look at")
    parser.add_argument("--refusals", type=int, default=0, help="how many of the official compiler's complaints to print")
    args = parser.parse_args()
    bad = taken = 0
    refusals = Counter()
    for seed in range(args.seed, args.seed + args.count):
        text = case(args.section, seed)
        theirs = official(text)
        taken += not isinstance(theirs, str)
        if isinstance(theirs, str):
            refusals[re.sub(r"\d+|'[^']*'", "#", theirs.replace("\n", " "))[:110]] += 1
        what = differs(text, args.ignore)
        if what:
            bad += 1
            if bad <= args.show:
                section = "actuator" if args.section == "classes" else args.section
                part = text[text.index(f"<{section}"):] if f"<{section}" in text else ""
                end = part.find(f"</{section}")
                print(f"--- {seed}: {what[:400]}", text[text.index("<default>"):text.index("<worldbody>")], part[:end if end > 0 else 400], sep="\n")
    if args.refusals:
        print(*(f"{n:5d} {what}" for what, n in refusals.most_common(args.refusals)), sep="\n")
    print(f"{args.section}: {args.count} cases, {taken} accepted officially, {bad} differ")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
