"""Edits make new trees that share what they do not touch, and differences are found by what is not shared."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.mjcf.reader import read_text
from physics.spec import tree
from physics.spec.diff import difference, same_content
from physics.spec.element import Element, new_id


def root_of(text="<mujoco><option/><worldbody><body name='a'><geom size='1'/><geom size='2'/></body><body name='b'/></worldbody></mujoco>"):
    return read_text(text).root


def places(root):
    found, stack = [], [(root, ())]
    while stack:
        element, where = stack.pop()
        found.append(where)
        stack.extend((child, (*where, i)) for i, child in enumerate(element.children))
    return found


def as_nested(element):
    return (element.tag, tuple(sorted(element.attrs.items())), tuple(as_nested(child) for child in element.children))


def test_elements_cannot_be_changed():
    root = root_of()
    with pytest.raises(dataclasses.FrozenInstanceError):
        root.tag = "x"
    with pytest.raises(TypeError):
        tree.at(root, (1, 0)).attrs["name"] = "x"


def test_setting_an_attribute_shares_everything_else():
    root = root_of()
    new = tree.set_attribute(root, (1, 0, 1), "size", "3")
    assert tree.at(new, (1, 0, 1)).attrs["size"] == "3" and tree.at(root, (1, 0, 1)).attrs["size"] == "2"
    assert new.children[0] is root.children[0]
    assert tree.at(new, (1, 0, 0)) is tree.at(root, (1, 0, 0)) and tree.at(new, (1, 1)) is tree.at(root, (1, 1))
    changed = tree.at(new, (1, 0, 1))
    assert changed.id == tree.at(root, (1, 0, 1)).id and changed.origin is tree.at(root, (1, 0, 1)).origin
    assert difference(root, new).changed == {changed.id}
    assert "size" not in tree.at(tree.set_attribute(new, (1, 0, 1), "size", None), (1, 0, 1)).attrs


def test_insert_and_remove_undo_each_other():
    root = root_of()
    new = tree.insert(root, (1, 0), 1, Element(new_id(), "site"))
    assert [child.tag for child in tree.at(new, (1, 0)).children] == ["geom", "site", "geom"]
    diff = difference(root, new)
    assert diff.added == {tree.at(new, (1, 0, 1)).id} and not diff.removed and diff.changed == {tree.at(new, (1, 0)).id}
    back = tree.remove(new, (1, 0, 1))
    assert same_content(back, root) and not difference(root, back)
    gone = tree.remove(root, (1, 0))
    assert difference(root, gone).removed == {e.id for e in tree.at(root, (1, 0)).walk()}


def test_ids_lead_back_to_places():
    root = root_of()
    for where in places(root):
        element = tree.at(root, where)
        assert tree.locate(root, element.id) == where and tree.find(root, element.id) is element
    assert tree.locate(root, -1) is None and tree.find(root, -1) is None


def test_impossible_edits_are_refused():
    root = root_of()
    with pytest.raises(ValueError):
        tree.remove(root, ())
    with pytest.raises(ValueError):
        tree.move(root, (1,), (1, 0), 0)
    with pytest.raises(IndexError):
        tree.insert(root, (1,), 9, Element(new_id(), "geom"))
    with pytest.raises(IndexError):
        tree.remove(root, (1, 7))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_moving_keeps_every_element_once(data):
    root = root_of()
    where = data.draw(st.sampled_from([p for p in places(root) if p]))
    to = data.draw(st.sampled_from([p for p in places(root) if p[:len(where)] != where]))
    moved, target = tree.at(root, where), tree.at(root, to)
    limit = len(target.children) - (to == where[:-1])
    position = data.draw(st.integers(0, limit))
    new = tree.move(root, where, to, position)
    assert sorted(e.id for e in new.walk()) == sorted(e.id for e in root.walk())
    assert tree.find(new, target.id).children[position] is moved
    assert not difference(root, new).added and not difference(root, new).removed


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_chain_of_edits_never_touches_earlier_versions(data):
    versions = [root_of()]
    pictures = [as_nested(versions[0])]
    for _ in range(data.draw(st.integers(1, 6))):
        root = versions[-1]
        where = data.draw(st.sampled_from(places(root)))
        if where and data.draw(st.booleans()):
            root = tree.remove(root, where)
        elif data.draw(st.booleans()):
            root = tree.insert(root, where, 0, Element(new_id(), "geom"))
        else:
            root = tree.set_attribute(root, where, "name", data.draw(st.sampled_from(["x", "y", None])))
        versions.append(root)
        pictures.append(as_nested(root))
    assert [as_nested(version) for version in versions] == pictures


def test_separate_readings_are_compared_by_content():
    a = root_of("<mujoco><option timestep='1' wind='0 0 0'/></mujoco>")
    b = root_of("<mujoco>\n  <option wind='0 0 0' timestep='1'/>\n</mujoco>")
    c = root_of("<mujoco><option timestep='2' wind='0 0 0'/></mujoco>")
    assert same_content(a, b) and not same_content(a, c)
    diff = difference(a, b)
    assert diff.added == {e.id for e in b.walk()} and diff.removed == {e.id for e in a.walk()}


def test_an_edit_in_a_large_tree_is_cheap():
    text = "<mujoco><worldbody>" + "<body><geom size='1'/><geom size='1'/><geom size='1'/></body>" * 1000 + "</worldbody></mujoco>"
    root = root_of(text)
    new = tree.set_attribute(root, (0, 500, 1), "size", "2")
    ids = {id(e) for e in root.walk()}
    assert sum(id(e) not in ids for e in new.walk()) == 4
    assert difference(root, new).changed == {tree.at(new, (0, 500, 1)).id}
