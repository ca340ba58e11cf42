"""Copies of a MjSpec."""
from __future__ import annotations

from .bodies import KINDS
from .defaults import PATTERNS, MjsDefault
from .fields import copied
from .mjcf.keyframes import NAMES
from .model_spec import SIZES, TEXTS, MjSpec
from .tendons import MjsWrap


def copy_of(spec: MjSpec) -> MjSpec:
    """Another one with the same elements."""
    return copy_with_twins(spec)[0]


def copy_with_twins(spec: MjSpec) -> tuple[MjSpec, dict]:
    """(another one with the same elements, {element of the old one: that of the new one})."""
    new = MjSpec()
    mine = new.__dict__
    mine.update({name: getattr(spec, name) for name in (*SIZES, *TEXTS)}, _assets=dict(spec._assets), _copying=spec._copying, _override=spec._override, _strip=spec._strip,
                _held=dict(spec.__dict__.get("_held", {})), _warnings=list(spec._warnings))
    for name in ("option", "visual", "stat", "compiler", "authored"):
        mine[f"_{name}"].take(getattr(spec, name))
    copier = Copier(spec, new)
    copier.run()
    mine["_signature"] = spec._signature
    return new, copier.twins


class Copier:
    """One copy being made. twins: element or default class of the old one -> that of the new one."""

    def __init__(self, spec: MjSpec, new: MjSpec):
        self.spec, self.new = spec, new
        self.twins: dict = {spec._world: new._world, None: None, spec._plain: new._plain}

    def run(self) -> None:
        """Everything."""
        self.default(self.spec._default, self.new._default)
        self.fill(self.spec._world, self.new._world)
        self.body(self.spec._world, self.new._world)
        for kind, elements in self.spec._outside.items():
            self.new._outside[kind] = [self.twin(one) for one in elements]
        self.pins()

    def default(self, old: MjsDefault, new: MjsDefault) -> None:
        """A default class and those inside."""
        self.twins[old] = new
        for kind in PATTERNS:
            getattr(new, kind.KIND)._values.update(copied(getattr(old, kind.KIND)._values))
        for inner in old._inside:
            self.default(inner, MjsDefault(inner.name, new, self.new))

    def twin(self, old):
        """The copy of an element."""
        new = object.__new__(type(old))
        new._begin(self.new, copied(old._values), self.twins.get(old._class))
        self.fill(old, new)
        if old.name:
            self.new._names[old.KIND][old.name] = new
        if old.KIND == "tendon":
            new.__dict__["_path"] = [MjsWrap(new, w._kind, w._name, w._side, w._value) for w in old._path]
        for extra in ("_shape", "_config"):
            if extra in old.__dict__:
                new.__dict__[extra] = old.__dict__[extra]
        self.twins[old] = new
        return new

    def fill(self, old, new) -> None:
        """What is no value."""
        new.__dict__.update(_id=old._id, _compiler=self.new.compiler if old._compiler is self.spec.compiler else old._compiler,
                            _origin=self.new if old._origin is self.spec else old._origin, _class=self.twins.get(old._class))

    def body(self, old, new) -> None:
        """What is in a body; frames first, since others refer to them."""
        for kind in ("frame", *(k for k in KINDS if k != "frame")):
            for child in old._children[kind]:
                twin = self.twin(child)
                twin.__dict__["_parent"] = new
                new._children[kind].append(twin)
        for kind in KINDS:
            for child in old._children[kind]:
                self.twins[child].__dict__["_frame"] = self.twins.get(child._frame)
        for child in old._children["body"]:
            self.body(child, self.twins[child])

    def pins(self) -> None:
        """What numbers of keyframes are of."""
        for key in self.spec._outside["key"]:
            twin = self.twins[key]
            pins = {}
            for name in NAMES:
                known = key.__dict__.get("_pins", {}).get(name)
                if known is not None and known[0] is key._values[name]:
                    pins[name] = twin._values[name], {self.twins[one]: numbers for one, numbers in known[1].items() if one in self.twins}
            twin.__dict__["_pins"] = pins


