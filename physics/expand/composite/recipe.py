"""What a <composite> element asks for, read and checked.

Settings of the made geoms, sites, joints and tendons start from the language's defaults, not from the model's default classes; their
groups and a few contact and constraint settings differ by type (MuJoCo 2.3.7, modeling chapter, "Composite objects"):
group 3, which is not drawn, except where nothing else would show the object. `limited`, `solreffix` and `solimpfix` of joints
count as documented and as up to 2.2; 2.3 read them from the wrong place, so that they had no effect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["BOXES", "LARGE", "Recipe", "Unmakeable", "read_recipe"]

BOXES = ("box", "cylinder", "ellipsoid")
# bodies of one composite; the largest that ever ran in real time have some hundred
MAX_CELLS = 20_000
MAX_LINKED = 2_000  # where all are one kinematic tree, whose mass matrix grows with the square
LARGE = 1e10  # no length in a model is larger
MAX_POINTS = 1_000_000  # of a skin
_ALWAYS_SEEN = ("particle", "rope", "loop", "cable")
_SOLREF = (0.02, 1.0)
_SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
_HARD = ((0.01, 1.0), (0.99, 0.99, 0.001, 0.5, 2.0))
_SOFT = ((0.02, 1.0), (0.9, 0.9, 0.001, 0.5, 2.0))
_PLAIN = (_SOLREF, _SOLIMP)
_SHAPES = ("sphere", "capsule", "ellipsoid")
_CABLE_SHAPES = ("capsule", "cylinder", "box")
Soft = tuple[tuple[float, ...], tuple[float, ...]]  # solref, solimp


class Unmakeable(ValueError):
    """The composite cannot be made: at `attribute` of `element`."""

    def __init__(self, element: Element, what: str, hint: str = "", attribute: str = "") -> None:
        self.element, self.what, self.hint, self.attribute = element, what, hint, attribute
        super().__init__(what)


@dataclass(slots=True)
class Recipe:
    """A composite's numbers. geom, site, joints, tendons: attributes as text of what is made; *_source: who wrote them.

    count: bodies along x, y, z; spacing, offset [m]. fix: (solref, solimp) of the constraint of a joint or tendon kind;
    smooth: of those between neighbours. density, mass of a geom. pins: places (x, y) of a grid that stay.
    """

    element: Element
    kind: str
    prefix: str
    count: tuple[int, int, int]
    spacing: float
    offset: np.ndarray
    attrs: Attrs
    geom: dict[str, str] = field(default_factory=dict)
    geom_source: Element | None = None
    geom_kind: str = "sphere"
    geom_size: tuple[float, ...] = (0.0, 0.0, 0.0)
    density: float = 1000.0
    mass: float | None = None
    site: dict[str, str] = field(default_factory=dict)
    joints: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    tendons: dict[str, dict[str, str]] = field(default_factory=dict)
    fix: dict[str, Soft] = field(default_factory=dict)
    smooth: Soft = _PLAIN
    pins: frozenset[tuple[int, int]] = frozenset()
    skin: Element | None = None
    asked: frozenset[str] = frozenset()   # kinds of joints and tendons that are written

    @property
    def dim(self) -> int:
        return sum(n > 1 for n in self.count)

    def joint(self, kind: str = "main") -> dict[str, str]:
        """Attributes of a kind's joint, as written."""
        return self.joints[kind][0] if kind in self.joints else {"group": "3"}

    def skin_value(self, name: str):
        """A value of the skin element, or its default where none is written."""
        skin = self.skin if self.skin is not None else Element(0, "skin")
        return Attrs.alone(skin, "body/composite/skin")[name]


def read_recipe(element: Element) -> Recipe:
    """Raises Unmakeable for what is wrong with a composite. Its values must be such that the reader has not refused them."""
    a = Attrs.alone(element, "body/composite")
    nx, ny, nz = a["count"].tolist()
    recipe = Recipe(element, a["type"], a["prefix"] or "", (nx, ny, nz), a["spacing"], np.array(a["offset"]), a)
    recipe.skin = element.first("skin")
    _read_parts(recipe)
    _check_counts(recipe)
    _check_shape(recipe)
    return recipe


def _attrs(element: Element) -> Attrs:
    return Attrs.alone(element, f"body/composite/{element.tag}")


def _read_parts(recipe: Recipe) -> None:
    element, kind = recipe.element, recipe.kind
    seen = recipe.skin is None or kind in _ALWAYS_SEEN or (kind == "grid" and recipe.dim == 1)
    group = "0" if seen else "3"
    recipe.geom = {"group": group}
    if kind == "particle":
        recipe.geom |= {"condim": "1", "priority": "1"}
    elif kind in BOXES:
        recipe.geom |= {"contype": "0"}
    geom = element.first("geom")
    if geom is not None:
        recipe.geom |= geom.attrs
        recipe.geom_kind = _attrs(geom)["type"]
        size = _attrs(geom)["size"]
        recipe.geom_size = tuple(size.tolist())
        recipe.density, recipe.mass = _attrs(geom)["density"], _attrs(geom)["mass"]
    recipe.geom_source = geom if geom is not None else element
    site = element.first("site")
    recipe.site = {"group": "3", **(site.attrs if site is not None else {})}
    soft = _SOFT if kind in BOXES else _PLAIN
    recipe.fix = {name: soft for name in ("main", "twist", "stretch", "particle", "shear")}
    recipe.fix["tendon"] = _HARD if kind in ("grid", *BOXES) else soft
    recipe.tendons = {"main": {"group": group}, "shear": {"group": group}}
    recipe.smooth = _overlaid(_HARD if kind == "loop" else soft, recipe.attrs, "solrefsmooth", "solimpsmooth")
    for part in element.children:
        if part.tag in ("joint", "tendon"):
            _read_kind(recipe, part)
    coords = [[int(x) for x in (*_attrs(pin)["coord"], 0)[:2]] for pin in element.all("pin")]
    recipe.pins = frozenset((x, y) for x, y in coords)


def _read_kind(recipe: Recipe, part: Element) -> None:
    """One joint or tendon element: what it asks of its kind."""
    word = part.attrs["kind"]
    kind = "tendon" if part.tag == "tendon" and word == "main" else word
    skipped = {"kind", "solreffix", "solimpfix"}
    if part.tag == "joint" and word != "particle":
        skipped |= {"type", "axis"}
    written = {name: text for name, text in part.attrs.items() if name not in skipped}
    recipe.fix[kind] = _overlaid(recipe.fix[kind], _attrs(part), "solreffix", "solimpfix")
    recipe.asked |= {kind}
    if part.tag == "tendon":
        recipe.tendons[word] |= written
        return
    if word in recipe.joints and recipe.kind != "particle":
        raise Unmakeable(part, f"joints of kind '{word}' are described twice", "Only particles can have several joints")
    recipe.joints.setdefault(word, []).append({"group": "3", **written})


def _overlaid(under: Soft, attrs: Attrs, solref: str, solimp: str) -> Soft:
    """Constraint settings with the first values replaced by those an element gives itself."""
    found = []
    for base, name in zip(under, (solref, solimp)):
        n = attrs.count(name)
        given = tuple(attrs[name][:n].tolist()) if n else ()
        found.append((*given, *base[len(given):]))
    return found[0], found[1]


def _check_counts(recipe: Recipe) -> None:
    element = recipe.element
    if recipe.kind == "cable" and recipe.attrs.count("vertex"):
        if recipe.count[0] > 1:
            raise Unmakeable(element, "a cable takes 'vertex' or 'count', not both", "Leave count out", "count")
        if recipe.attrs.count("vertex") % 3:
            raise Unmakeable(element, "'vertex' needs three numbers for each point", attribute="vertex")
        recipe.count = (recipe.attrs.count("vertex") // 3, 1, 1)
    if min(recipe.count) < 1:
        raise Unmakeable(element, f"counts must be positive, not {min(recipe.count)}", attribute="count")
    most = MAX_CELLS if recipe.kind in ("particle", "grid") else MAX_LINKED
    shell = math.prod(recipe.count) - math.prod(max(n - 2, 0) for n in recipe.count) if recipe.kind in BOXES else math.prod(recipe.count)
    if shell > most:
        raise Unmakeable(element, f"{shell} bodies are absurdly many: at most {most} in a {recipe.kind}", attribute="count")
    singles = [n == 1 for n in recipe.count]
    if singles != sorted(singles):
        raise Unmakeable(element, "counts of 1 must come last", f"Here they are {recipe.count}", "count")
    subgrid = int(recipe.skin_value("subgrid"))
    if recipe.skin is not None and subgrid > 0:
        if recipe.kind != "cable" and min(recipe.count[:2]) < 3:
            raise Unmakeable(recipe.skin, "a subgrid needs at least 3 x 3 bodies", attribute="subgrid")
        if math.prod(recipe.count) * (1 + subgrid) ** 2 > MAX_POINTS:
            raise Unmakeable(recipe.skin, f"a subgrid of {subgrid} makes absurdly many points", attribute="subgrid")


def _check_shape(recipe: Recipe) -> None:
    element, kind, source = recipe.element, recipe.kind, recipe.geom_source
    allowed = _CABLE_SHAPES if kind == "cable" else _SHAPES
    if kind != "particle" and recipe.geom_kind not in allowed:
        raise Unmakeable(source, f"the geoms of a {kind} must be {', '.join(allowed[:-1])} or {allowed[-1]}, not {recipe.geom_kind}",
                         "Write it in the composite's <geom type>", "type")
    for name, value in (("spacing", recipe.spacing), ("offset", recipe.offset), ("flatinertia", recipe.attrs["flatinertia"]), ("size", recipe.geom_size)):
        if np.abs(value).max() > LARGE:
            raise Unmakeable(source if name == "size" else element, f"'{name}' is absurdly large", attribute=name)
    if kind in ("grid", "particle") and recipe.spacing < max(recipe.geom_size):
        raise Unmakeable(element, f"spacing {recipe.spacing:g} is smaller than the geoms' size {max(recipe.geom_size):g}",
                         "Neighbours would stand inside each other", "spacing")
    if kind == "cable" and recipe.spacing:
        raise Unmakeable(element, "a cable has no spacing", "Its length comes from size and curve, or from vertex", "spacing")
    if recipe.skin is not None and not 0 <= recipe.skin_value("group") <= 5:
        raise Unmakeable(recipe.skin, "the skin's group must be 0 to 5", attribute="group")
