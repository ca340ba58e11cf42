"""The table says what the official schema says, element by element and attribute by attribute."""

import re

import mujoco
import pytest

from physics.schema import schema, schema_docs
from physics.schema.numbers import parse


def official_schema():
    """{path: (cardinality, attribute names)} from the schema the official library prints."""
    found, stack, path = {}, [], None
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = re.match(r"( *)(\S+) \((.)\) +(.*)", line)
        if head:
            depth = len(head.group(1)) // 3
            del stack[depth:]
            stack.append(head.group(2).removeprefix("(world)"))
            path = "/".join(stack[1:]) or "mujoco"
            found[path] = (head.group(3), set(head.group(4).split()))
        elif path and line.strip():
            found[path][1].update(line.split())
    return found


OFFICIAL = official_schema()


def test_every_official_element_and_attribute_is_known():
    assert len(OFFICIAL) > 150
    for path, (cardinality, names) in OFFICIAL.items():
        spec = schema.lookup(path)
        assert spec is not None, path
        assert {name for name, attribute in spec.attributes.items() if not attribute.legacy} == names, path
        assert spec.cardinality == cardinality, path


def test_nothing_else_is_known():
    ours = {path for path in schema.paths() if not schema.lookup(path).legacy} - {"worldbody", "body/frame", "body/replicate", "include"}
    assert ours == set(OFFICIAL)


def test_defaults_in_the_table_are_valid_values():
    for path in schema.paths():
        for spec in schema.lookup(path).attributes.values():
            if spec.default is not None:
                value, problem, warning = parse(spec, spec.default)
                assert value is not None and not problem and not warning, (path, spec.name)


def test_paths_may_be_written_as_messages_write_them():
    assert schema.lookup("mujoco/worldbody/body[torso]/body/geom[2]") is schema.lookup("body/geom")
    assert schema.lookup("mujoco/worldbody/geom[2]") is schema.lookup("body/geom")
    assert schema.lookup("default/default[soft]/geom") is schema.lookup("default/geom")
    assert schema.lookup("mujoco/worldbody").path == "worldbody"
    assert schema.lookup("body/nothing") is None


def test_bodies_nest_but_the_world_has_no_joints():
    assert schema.child_spec("worldbody", "body").path == "body"
    assert schema.child_spec("body", "body").path == "body"
    assert schema.child_spec("body/frame", "geom").path == "body/geom"
    assert schema.child_spec("worldbody", "joint") is None
    assert schema.child_spec("default", "default").path == "default"


def test_support_rows_name_things_that_exist():
    for level, path, attribute, _condition, what in schema.SUPPORT:
        assert what
        if level == "removed":
            assert attribute or schema.lookup(path) is None, path
            continue
        spec = schema.lookup(path)
        assert spec is not None, path
        assert not attribute or attribute in spec.attributes, (path, attribute)


def test_support_levels():
    assert schema.lookup("body/geom").support == "full"
    assert schema.lookup("asset/mesh/plugin").support == "refused"
    assert schema.lookup("extension/plugin").support == "view"
    assert schema.lookup("extension/plugin").reason


@pytest.mark.parametrize(("path", "name", "words"), [
    ("body/geom", "pos", ("3 real", "0 0 0", "m")),
    ("body/geom", "type", ("capsule", "sphere")),
    ("option", "timestep", ("0.002", "s")),
    ("mujoco/worldbody/body[a]/joint", "damping", ("1 to 3",)),
])
def test_describe_tells_type_default_and_unit(path, name, words):
    text = schema_docs.describe(path, name)
    for word in words:
        assert word in text


def test_describe_has_something_to_say_about_every_element_and_attribute():
    for path in schema.paths():
        assert len(schema_docs.describe(path).partition(": ")[2]) > 3, path
        for name in schema.lookup(path).attributes:
            facts, _, words = schema_docs.describe(path, name).partition("\n")
            assert facts.startswith(f"{name}: ") and len(words) > 3, (path, name)


def test_every_line_of_the_words_is_used():
    used = set()
    for path in schema.paths():
        for name in schema.lookup(path).attributes:
            used.update((name, f"{path}@{name}"))
    assert set(schema_docs._attributes()) <= used
    assert set(schema_docs._elements()) <= set(schema.paths())


def test_describe_says_nothing_about_what_is_not_there():
    assert schema_docs.describe("body/nothing") == "" and schema_docs.describe("body/geom", "nothing") == ""
