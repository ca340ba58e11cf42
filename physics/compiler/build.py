"""A model under construction: the parts that the passes share, each with one job."""
from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter

from physics.compiler.assets.asset_memory import AssetMemory
from physics.compiler.field_rows import FieldRows
from physics.compiler.item_tables import ItemTables, References
from physics.compiler.problems import Problems
from physics.compiler.shared_readings import SharedReadings
from physics.compiler.source import Source
from physics.errors import Place
from physics.mjcf.reader import ReadResult
from physics.model.model import Model
from physics.model.visual import Visual
from physics.spec.element import Element
from physics.spec.links import Links

_NAME = attrgetter("name")


@dataclass
class ModelWords:
    """What the file says of the model as a whole, beside the options."""

    vis: Visual = field(default_factory=Visual)   # the element visual
    statistic: dict[str, object] = field(default_factory=dict)   # values that win over computed ones
    nkey: int = 0   # keyframes that the element size asks for
    texts: dict[str, str] = field(default_factory=dict)   # custom texts by name


class Build:
    """The parts: what is compiled (source), what is wrong with it (problems), its elements (items) and what they name (references), readings that several
    elements share (shared), the fields' values (fields) and what is said of the whole (words). chains: of each dof those it moves with, set by structure.py. memory: of
    assets that an earlier compile has made, if there is one."""

    def __init__(self, read_result: ReadResult, compat: str = "4.0", stand_ins: bool = False, memory: AssetMemory | None = None):
        self.memory = memory
        self.source = Source(read_result, compat, stand_ins)
        self.problems = Problems(self.source)
        self.items = ItemTables()
        self.references = References(self.source, self.problems, self.items)
        self.shared = SharedReadings(self, self.source, self.problems)
        self.fields = FieldRows(self.source, self.items, self.problems)
        self.words = ModelWords()
        self.chains: list = []


def allocated(build: Build) -> Model:
    """The Model, with everything gathered so far, its names, places and links to the elements of the text."""
    source, words = build.source, build.words
    model = build.fields.allocate()
    model.names = {kind: tuple(map(_NAME, items)) for kind, items in build.items.items()}
    places: dict[int, Place] = {}
    model.places = {kind: tuple([_place(i.element, places) for i in items]) for kind, items in build.items.items()}
    model.links = Links.of(build.items, source.expanded.traces)
    model.source = list({**source.read_result.sources, **source.expanded.sources})
    model.vis, model.texts, model.title = words.vis, words.texts, source.root.attrs.get("model", "")
    return model


def _place(element: Element | None, known: dict[int, Place]) -> Place | None:
    """Where an element stands; known: by id of an origin, which copies of one element share."""
    if element is None:
        return None
    origin = element.origin
    place = known.get(id(origin))
    if place is None:
        place = known[id(origin)] = origin.place
    return place
