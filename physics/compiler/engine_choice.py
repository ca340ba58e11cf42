"""Which engine a model's text asks for, and the hard engine's options: custom elements, so that the file stays plain MJCF."""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.source import numbers
from physics.enums import Engine
from physics.fields.hard_options import ENGINE_TEXT, HARD_NUMBERS, HARD_OPTIONS
from physics.spec.element import Element

ENGINES = MappingProxyType({engine.name.lower(): int(engine) for engine in Engine})


def engine(build: Build) -> None:
    """Fill opt_engine and opt_hard_*; wrong words and numbers are errors at their place."""
    scalars = build.fields.scalars
    scalars["opt_engine"] = int(Engine.SOFT)
    for option in HARD_OPTIONS:
        scalars[option.field] = int(option.usual) if option.whole else option.usual
    for element in build.source.root.section("custom"):
        if element.tag == "text" and element.name == ENGINE_TEXT:
            _choose(build, element)
        elif element.tag == "numeric" and element.name == HARD_NUMBERS:
            _numbers(build, element)


def _choose(build: Build, element: Element) -> None:
    word = element.attrs.get("data", "").strip()
    if word in ENGINES:
        build.fields.scalars["opt_engine"] = ENGINES[word]
    else:
        build.problems.error(element, f"there is no engine '{word}'", f"It is one of {', '.join(ENGINES)}", "data")


def _numbers(build: Build, element: Element) -> None:
    """The first of them, in the order of HARD_OPTIONS; the others are as usual."""
    given, order = numbers(build.source.attrs(element)["data"]), " ".join(option.name.removeprefix("hard_") for option in HARD_OPTIONS)
    if len(given) > len(HARD_OPTIONS):
        build.problems.error(element, f"{len(given)} numbers, the hard engine has {len(HARD_OPTIONS)}", f"They are {order}", "data")
        return
    for option, value in zip(HARD_OPTIONS, given):
        why = option.wrong(value)
        if why:
            build.problems.error(element, why, f"The numbers are {order}", "data")
        else:
            build.fields.scalars[option.field] = int(value) if option.whole else value
