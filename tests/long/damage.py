"""Ways to damage a model's text: pieces of it, its values and names, its tree, its bytes. All chance comes from the Random given."""
import copy
import random
import re
import xml.etree.ElementTree as ET

from physics.schema import schema

ABSURD = ("nan", "inf", "-inf", "1e300", "-1e300", "0", "-1", "1e-300", "", "x", "1 2", "99999999999", "0x10", "1,5", "--", "1e", "\u0663",
          "0 0 0", "1 1 1 1", "0 0 0 0", "-1 -1 -1", "1e9", "true", "auto", "world", "main", "../x", "/", "2147483647", "1e-8 1e8 1")
LARGEST_COUNT = 40   # of elements that one damage copies


def damage(text: str, rng: random.Random) -> str:
    """A few damages of random kinds: of the text, and where it is still XML, of the tree."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice((*_TEXT_DAMAGES, _tree, _tree))(text, rng) or "<"
    return text


def _span(text: str, rng: random.Random, longest: int) -> tuple[int, int]:
    start = rng.randrange(len(text))
    return start, min(len(text), start + rng.randint(1, longest))


def _cut(text, rng):
    start, end = _span(text, rng, 400)
    return text[:start] + text[end:] if rng.random() < 0.7 else text[:start]


def _swap(text, rng):
    lines = text.split("\n")
    i, k = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[k] = lines[k], lines[i]
    return "\n".join(lines)


def _double(text, rng):
    start, end = _span(text, rng, 600)
    return text[:end] + text[start:end] + text[end:]


def _number(text, rng):
    found = list(re.finditer(r"(?<=[\" ])-?\d*\.?\d+(?=[\" ])", text))
    return _replaced(text, rng.choice(found), rng.choice(ABSURD)) if found else text


def _name(text, rng):
    found = list(re.finditer(r"(?<=<)[a-z]+|[a-z]+(?==\")", text))
    return _replaced(text, rng.choice(found), rng.choice(found).group()) if found else text


def _value(text, rng):
    found = list(re.finditer(r'(?<==")[^"]*(?=")', text))
    return _replaced(text, rng.choice(found), rng.choice((rng.choice(found).group(), rng.choice(ABSURD)))) if found else text


def _character(text, rng):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("<>&\"'=/\x00\ufeff\u00e9 ") + text[at + rng.randint(0, 1):]


def _bytes(text, rng):
    data = bytearray(text.encode("utf-8", "replace"))
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return data.decode("latin-1")


def _replaced(text, match, new):
    return text[:match.start()] + new + text[match.end():]


_TEXT_DAMAGES = (_cut, _swap, _double, _number, _name, _value, _character, _bytes, _number, _value)


def _tree(text: str, rng: random.Random) -> str:
    """One change of the tree: an element moved, copied, wrapped, emptied or dropped, or given an attribute it may have."""
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError):
        return text
    parents = {child: parent for parent in root.iter() for child in parent}
    if not parents:
        return text
    rng.choice((_move, _copy, _drop, _wrap, _attribute, _attribute, _attribute, _empty))(root, parents, rng)
    return ET.tostring(root, encoding="unicode")


def _pick(parents, rng):
    return rng.choice(list(parents))


def _move(root, parents, rng):
    element, place = _pick(parents, rng), rng.choice([root, *parents])
    if place not in element.iter():
        parents[element].remove(element)
        place.insert(rng.randint(0, len(place)), element)


def _copy(root, parents, rng):
    element, place = _pick(parents, rng), rng.choice([root, *parents])
    if sum(1 for _ in element.iter()) <= LARGEST_COUNT:
        place.insert(rng.randint(0, len(place)), copy.deepcopy(element))


def _drop(root, parents, rng):
    element = _pick(parents, rng)
    parents[element].remove(element)


def _wrap(root, parents, rng):
    element = _pick(parents, rng)
    parent = parents[element]
    shell = ET.Element(*rng.choice((
        ("body", {}), ("frame", {"pos": "1 0 0"}), ("replicate", {"count": "3", "offset": "0 1 0"}), ("replicate", {"count": "1000000000"}),
        ("worldbody", {}), ("default", {"class": "c"}), ("frame", {"euler": "0 0 90"}))))
    parent.insert(list(parent).index(element), shell)
    parent.remove(element)
    shell.append(element)


def _empty(root, parents, rng):
    element = _pick(parents, rng)
    if rng.random() < 0.5:
        element.attrib.clear()
    else:
        for child in list(element):
            element.remove(child)


def _attribute(root, parents, rng):
    """An attribute that the language allows there, with a value of the right kind or an absurd one."""
    element = _pick(parents, rng)
    trail, node = [element.tag], element
    while node in parents:
        node = parents[node]
        trail.insert(0, node.tag)
    spec = schema.lookup("/".join(trail[1:] if trail[0] == "mujoco" and len(trail) > 1 else trail))
    if spec is None or not spec.attributes:
        return
    attribute = rng.choice(list(spec.attributes.values()))
    element.set(attribute.name, value_of(attribute, rng) if rng.random() < 0.7 else rng.choice(ABSURD))


def value_of(attribute, rng: random.Random, names=("a", "b", "c")) -> str:
    """Text that the attribute's type allows."""
    if attribute.values:
        return rng.choice(attribute.values)
    if attribute.type in ("real", "int"):
        count = rng.choice(list(attribute.counts)) if attribute.counts else rng.randint(0, 12)
        if attribute.type == "int":
            return " ".join(str(rng.choice((0, 1, 2, 3, 5, -1))) for _ in range(count))
        return " ".join(rng.choice((str(round(rng.uniform(-2, 2), 3)), str(round(rng.uniform(0, 1), 3)), "0", "1")) for _ in range(count))
    if attribute.type == "eulerseq":
        return "".join(rng.choice("xyzXYZ") for _ in range(3))
    return rng.choice(names)
