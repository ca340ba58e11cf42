"""The one row of an orientation: which notation it is shown in, its numbers there, and which others can say it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from editor.notation.numbers import number_of
from editor.notation.orientation import NOTATIONS, numbers_of, says, text_of_numbers
from physics.expand.replicate import angle_settings
from physics.rotation import quaternion
from physics.rotation.orientation import OrientationError, from_notation
from physics.schema.numbers import parse
from physics.schema.schema import ElementSpec
from physics.spec.element import Element

__all__ = ["NOTATIONS", "has_orientation", "notation_in_use", "offered", "quat_of", "unit_words", "words_of"]


def has_orientation(spec: ElementSpec) -> bool:
    """Whether an element can be turned in any of the notations."""
    return all(name in spec.attributes for name in NOTATIONS)


def notation_in_use(root: Element, tag: str = "") -> str:
    """The notation that the document uses most for elements of a tag, else for others without the two that are for cameras and the like; 'euler' where it uses none."""
    turned = [(element.tag, name) for element in root.walk() for name in NOTATIONS if name in element.attrs]
    found = Counter(name for kind, name in turned if kind == tag) or Counter(name for _kind, name in turned if name not in ("xyaxes", "zaxis"))
    return found.most_common(1)[0][0] if found else "euler"


def quat_of(spec: ElementSpec, notation: str, words: tuple[str, ...] | list[str], root: Element) -> tuple:
    """The unit quaternion of a notation's numbers. Raises ValueError for what is no orientation."""
    value, problem, _warning = parse(spec.attributes[notation], " ".join(words))
    if value is None:
        raise ValueError(problem or f"{notation} is empty")
    try:
        return tuple(from_notation(notation, value, *angle_settings(root)).tolist())
    except OrientationError as error:
        raise ValueError(str(error)) from None


def words_of(notation: str, quat, root: Element) -> tuple[str, ...]:
    """The numbers of an orientation in a notation, angles in the unit of the text. zaxis keeps only where z points. Raises ValueError for an eulerseq that cannot say it."""
    settings = angle_settings(root)
    numbers = numbers_of(notation, quat, settings)
    if numbers is None:
        raise ValueError(f"eulerseq {settings[1]} turns twice about the same axis: it cannot say every orientation")
    return tuple(text_of_numbers(notation, numbers, settings).split())


def unit_words(notation: str, root: Element) -> tuple[str, ...]:
    """Those of no turn at all."""
    return words_of(notation, quaternion.UNIT, root) if notation != "euler" else ("0", "0", "0")


def offered(spec: ElementSpec, notation: str, words: tuple[str, ...], root: Element) -> Mapping[str, str]:
    """Notations that an orientation can be written in: {notation: why not, '' where it can}."""
    try:
        quat = quat_of(spec, notation, words, root)
    except ValueError as error:
        return {name: "" if name == notation else str(error) for name in NOTATIONS}
    out = {}
    for name in NOTATIONS:
        try:
            said = says(name, list(map(number_of, words_of(name, quat, root))), quat, angle_settings(root))
            out[name] = "" if said else "it would lose the turn about z" if name == "zaxis" else "it cannot say this orientation"
        except ValueError as error:
            out[name] = str(error)
    out[notation] = ""
    return out
