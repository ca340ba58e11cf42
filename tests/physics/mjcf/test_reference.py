"""Our table against the reference's list of everything MJCF has, and its counts of values against what the official reader takes."""
import json
import os

import mujoco
import pytest

from physics.schema import schema
from tests.oracle.corpus import NO_LIST, corpus_dir

SIZES = {"mjNREF": "2", "mjNIMP": "5", "mjNDYN": "10", "mjNGAIN": "10", "mjNBIAS": "10"}

# where the list is not right about the language: (end of the path, attribute or '*', what is compared, why)
EXCEPTIONS = (
    ("/orientation", "*", "type default", "the list took one cell of the actuator's description for type and default of all that share it"),
    ("/pid", "*", "type default", "likewise"),
    ("/general", "actdim", "type", "the official reader refuses 1.5"),
    ("mujoco/option", "actuatorgroupdisable", "counts", "31 at most, not exactly"),
    ("actuator/plugin", "dynprm", "default", "the list gives the first number only"),
    ("body/flexcomp/pin", "*", "required", "the official reader takes a pin without any"),
    ("actuator/general", "slidersite", "required", "only of an actuator with a cranksite"),
)


def reference() -> dict:
    """The reference's elements by path, or skip (fail under CI=true) saying what is missing."""
    path = corpus_dir().parents[1] / "reference" / "mjcf_attributes.json"
    if not path.exists():
        message = f"{NO_LIST} {path} (LINKWORK_CORPUS may name the folder corpus/open beside its own)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return json.loads(path.read_text())["elements"]


def excepted(path: str, attribute: str, what: str) -> bool:
    return any(path.endswith(end) and name in ("*", attribute) and what in kinds.split() for end, name, kinds, _ in EXCEPTIONS)


def counts(text: str | None) -> str:
    """The list's count of values in our words; a count that depends on something else is any."""
    text = text or "1"
    for word, number in SIZES.items():
        text = text.replace(word, number)
    plain = text.replace("..", " ").replace(" or ", " ").split()
    return " to ".join(dict.fromkeys((plain[0], plain[-1]))) if plain and all(word.isdigit() for word in plain) else "any"


def same_counts(spec: schema.AttributeSpec, row: dict) -> bool:
    """Whether ours is the list's, or one of a longer list's that may be given in part (the older schema says which may)."""
    ours = counts(spec.arity.replace(" to ", ".."))
    given = counts(row.get("arity") or ("any" if spec.counts is None else "1"))   # of some long lists it says nothing
    return ours == given or ours == counts(row.get("schema_3_12", {}).get("arity"))


def same_default(ours: str | None, listed: str | None) -> bool:
    """Compared where both give one; '1 0 ... 0' stands for a list of any length with zeros at its end."""
    if ours is None or listed is None or not listed.strip("."):
        return True
    head, dots, tail = listed.partition(" ... ")
    if not dots:
        return ours == listed
    numbers = ours.split()
    start = head.split()
    return numbers[:len(start)] == start and set(numbers[len(start):]) <= {tail}


def kind(spec: schema.AttributeSpec) -> str:
    """Our type in the list's words."""
    return spec.type if spec.type in ("real", "int") else "keyword" if spec.values else "string"


def differences(path: str, spec: schema.AttributeSpec, row: dict, but=excepted) -> list[str]:
    listed = {"bool": "keyword"}.get(row["type"], row["type"])
    values = set(row.get("values", ()))
    found = {
        "type": not (listed == kind(spec) or (listed == "string" and spec.values)),   # for the list an unread set of words is text
        "values": not values <= set(spec.values),
        "counts": spec.type in ("real", "int") and not same_counts(spec, row),
        "default": not same_default(spec.default, row.get("default")),
        "required": bool(row.get("required")) != spec.required,
    }
    return [f"{path} {spec.name}: {what}" for what, wrong in found.items() if wrong and not but(path, spec.name, what)]


def test_everything_the_reference_lists_is_in_our_table():
    off, compared = [], 0
    for path, element in reference().items():
        spec = schema.lookup(path)
        if spec is None or spec.cardinality != element["cardinality"]:
            off.append(path)
            continue
        for name, row in element["attributes"].items():
            compared += 1
            off += differences(path, spec.attributes[name], row) if name in spec.attributes else [f"{path} {name}: missing"]
    assert not off
    assert compared > 1900


def test_every_exception_is_one():
    elements = reference()
    for end, name, kinds, why in EXCEPTIONS:
        assert why
        for what in kinds.split():
            assert any(
                raw.endswith(what) for path, element in elements.items() if path.endswith(end) for attribute, row in element["attributes"].items()
                if name in ("*", attribute) for raw in differences(path, schema.lookup(path).attributes[attribute], row, but=lambda *_: False)
            ), (end, name, what)


def sample(spec: schema.AttributeSpec) -> str:
    """A value of an attribute that must be there."""
    if spec.type in ("real", "int"):
        return " ".join(["1"] * (3 if spec.counts is None else spec.counts[-1]))
    return spec.values[0] if spec.values else "x"


def document(path: str, attribute: str, text: str) -> str:
    """A text with one element of a path, what it must have, and one attribute more."""
    *outer, tag = path.split("/")
    given = {name: sample(spec) for name, spec in schema.lookup(path).attributes.items() if spec.required} | {attribute: text}
    inner = f"<{tag} " + " ".join(f'{name}="{value}"' for name, value in given.items()) + "/>"
    for parent in reversed(outer):
        name = ' name="q"' if parent in ("body", "flexcomp") else ""
        inner = f"<{parent}{name}>{inner}</{parent}>"
    return f"<mujoco><worldbody>{inner}</worldbody></mujoco>" if path.startswith("body") else f"<mujoco>{inner}</mujoco>"


HIDDEN = ("required attribute missing", "must be specified")   # the official reader found something else first


def test_as_many_values_are_taken_as_the_official_reader_takes(capfd):
    wrong, asked = [], 0
    for path in schema.paths():
        element = schema.lookup(path)
        if element.legacy or path in ("mujoco", "include", "worldbody"):
            continue
        for name, spec in element.attributes.items():
            if spec.type not in ("real", "int") or spec.legacy or spec.counts is None:
                continue
            for number in {spec.counts[0] - 1, *spec.counts, spec.counts[-1] + 1} - {0}:
                reply = official_reply(document(path, name, " ".join(["1"] * number)))
                if any(word in reply for word in HIDDEN):
                    continue
                asked += 1
                refused = f"attribute '{name}'" in reply and ("data" in reply or "size" in reply)
                if refused == (number in spec.counts):
                    wrong.append(f"{path} {name}: {number} values: {reply or 'taken'}")
    capfd.readouterr()
    assert not wrong
    assert asked > 2500


def official_reply(text: str) -> str:
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as refusal:
        return str(refusal).partition("\n")[0]
    return ""
