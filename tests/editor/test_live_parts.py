"""What tools change in texts that cannot be compiled is written into the model, element by element; problems keep their places without a compile."""
import random
from pathlib import Path

import pytest

import physics
from editor.document import Document
from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit, Patch
from editor.live import LiveModel
from editor.live_parts import moved_issues, touched, with_elements
from physics.compiler.live.kept import KeptCompile
from physics.errors import Issue, Place
from physics.mjcf import reader
from physics.model.changes.field_changes import differences, image_of, write
from tests.oracle.corpus import corpus_file
from tests.physics.compiler.test_links import CHILD, MAIN, PART

NUMBERS = (("pos", "0.011 0.022 0.033"), ("rgba", ".1 .2 .3 .4"), ("damping", "0.75"), ("friction", ".7 .01 .001"), ("range", "-.3 .4"), ("kp", "33"))


def opened(path: Path):
    """(document, what runs of it, the Model)."""
    document, live, made = Document.open(path), LiveModel(), []
    found = reader.read(path)
    reader.attached_models(found)
    for key in found.all_sources:
        if key != document.key:
            document.include(key)
    document.version().trees()      # with those of models that are attached, as a compile has it
    # what runs was read on its own, with the same ids, as the compiler's thread does
    read = reader.read_text(document.main.text, document.key, document.base_dir, document.included_texts(), document.ids)
    model = physics.compile_root(read, stand_ins=True, keep=lambda build, model: made.append(KeptCompile(read, build, model)))
    live.started(model, made[0])
    return document, live, model


def put(document, edit: Edit):
    """Apply an edit; the elements that it has changed."""
    document.apply(edit)
    return touched(document.last_good, edit)


def change(document, number: int, **values) -> Edit:
    element = document.last_good.element(number)
    return Edit("change", attribute_patches(document.files()[element.origin.file].text, element, values))


@pytest.fixture
def files(tmp_path):
    for name, text in (("main.xml", MAIN), ("leg.xml", CHILD), ("part.xml", PART.replace("><", ">\r\n<"))):
        (tmp_path / name).write_bytes(text.encode())
    return tmp_path


def find(document, name: str):
    return next(one for one in document.last_good.walk() if one.name == name)


def test_elements_are_found_where_patches_have_changed_their_tags(files):
    document, _live, _model = opened(files / "main.xml")
    at = document.main.text.index('name="floor"') + len('name="floor')
    document.apply(Edit("typing", (Patch(document.main_key, at, at + 1, ""),)))
    assert document.version().root is None
    both = (*change(document, find(document, "base").id, pos="0 0 2").patches, *change(document, find(document, "inner").id, pos="1 2 3").patches)
    assert [(one.tag, one.name, one.attrs["pos"]) for one in put(document, Edit("both", both))] == [("body", "base", "0 0 2"), ("body", "inner", "1 2 3")]
    for pos in ("3 2 1", "4 4 4"):      # in the included file, once more
        assert [one.attrs["pos"] for one in put(document, change(document, find(document, "inner").id, pos=pos))] == [pos]
    for damping in ("1", "2"):      # in the attached file, whose elements go on being known
        assert [one.attrs["damping"] for one in put(document, change(document, find(document, "hip").id, damping=damping))] == [damping]
    lost = next(one for one in document.last_good.root.walk() if one.attrs.get("name") == "floor")
    assert not document.last_good.whole(lost.id)
    assert put(document, Edit("typing", (Patch(document.main_key, at, at, "x"),))) == ()      # of a tag that cannot be read
    assert put(document, Edit("between", (Patch(document.main_key, 0, 0, "\n"),))) == ()


def test_what_is_written_of_a_broken_text_is_what_the_mended_one_compiles_to(files):
    document, live, model = opened(files / "main.xml")
    at = document.main.text.index('name="floor"') + len('name="floor')
    document.apply(Edit("typing", (Patch(document.main_key, at, at + 1, ""),)))
    sent = []
    for name, values in (("base", {"pos": "0 0 2"}), ("hip", {"damping": "3"}), ("inner", {"pos": "1 2 3"}), ("post", {"pos": ".5 0 0"})):
        edit = live.edit_elements(put(document, change(document, find(document, name).id, **values)), sent.append)
        write(model, edit.changes)
        model.revised(edit.names, edit.number)
    document.apply(Edit("mend", (Patch(document.main_key, at, at, '"'),)))
    assert differences(image_of(physics.compile_root(document.version().read, stand_ins=True)), model) == () and len(sent) == 4
    edit = live.edit(document.version().read, False, sent.append)
    assert edit is not None and live.verified(edit.number, model, None) is None
    assert live.edit_elements((find(document, "base").with_changes(id=10**9),), sent.append) is None      # nobody knows it


def test_what_an_edit_changes_is_told_apart_from_what_earlier_ones_wrote(files):
    """Until a compile has confirmed it each edit writes all that differs from the Model that was compiled."""
    document, live, _model = opened(files / "main.xml")

    def edited(name: str, **values: str):
        document.apply(change(document, find(document, name).id, **values))
        return live.edit(document.version().read, False, lambda _edit: None)

    first = edited("base", pos="0 0 2")
    second = edited("hip", damping="3")
    assert "body_pos" in first.changed and "body_pos" in second.names and "dof_damping" in second.changed and "body_pos" not in second.changed
    assert "body_pos" in edited("base", pos="0 0 3").changed


@pytest.mark.parametrize("name", ["mj_humanoid/humanoid.xml", "menagerie_shadow_hand/right_hand.xml"])
def test_models_of_the_corpus_follow_edits_in_their_broken_texts(name):
    document, live, model = opened(corpus_file(name))
    rng = random.Random(3)
    for _round in range(6):
        walked = [one for one in document.version().root.walk() if one.origin.file in document.files() and one.attrs]
        victim = rng.choice(walked)
        key = victim.origin.file
        quote = document.files()[key].text.index('"', victim.origin.start)
        document.apply(Edit("typing", (Patch(key, quote, quote + 1, ""),)))
        assert not document.last_good.current
        changed = 0
        for one in rng.sample(walked, len(walked)):
            values = {name: text for name, text in NUMBERS if name in one.attrs}
            if not values or one.id == victim.id or not document.last_good.whole(one.id):
                continue
            edit = live.edit_elements(put(document, change(document, one.id, **values)), lambda edit: None)
            if edit is None:    # takes a compile: it is taken back
                document.undo()
                continue
            write(model, edit.changes)
            model.revised(edit.names, edit.number)
            changed += 1
            if changed == 3:
                break
        assert changed
        at = document.files()[key].text.index("=", document.last_good.element(victim.id).origin.start if document.last_good.whole(victim.id) else mended(document, victim)) + 1
        document.apply(Edit("mend", (Patch(key, at, at, '"'),)))
        assert document.last_good.current
        assert differences(image_of(physics.compile_root(document.version().read, stand_ins=True)), model) == (), name


def mended(document, victim) -> int:
    """Where a tag that cannot be read begins."""
    return next(start for start, number in document.known_ids[victim.origin.file].items() if number == victim.id)


def test_problems_stay_with_what_they_are_about():
    text = '<mujoco>\n  <worldbody>\n    <geom name="a" size=".1"/>\n    <body pos="0 0 1"><geom\n      size=".2"/></body>\n  </worldbody>\n</mujoco>'
    later = text.replace("<mujoco>\n", "<mujoco>\n\n").replace('name="a" size=".1"', 'size=".11111"  name="a"').replace('"0 0 1"', '"0 0 1.25"')
    old, new = (reader.read_text(one).root for one in (text, later))
    geom, body = old.children[0].children
    inner = body.children[0]
    issues = [Issue("warning", one, "", "what") for one in (geom.place, geom.attr_place("size"), inner.place, inner.attr_place("size"), Place("other.xml", 3, 3), None)]
    issues.append(Issue("warning", Place(geom.origin.file, 5, 3), "", "somewhere in a tag"))
    moved = [issue.place for issue in moved_issues(issues, old, new)]
    geom, body = new.children[0].children
    inner = body.children[0]
    assert moved[:6] == [geom.place, geom.attr_place("size"), inner.place, inner.attr_place("size"), Place("other.xml", 3, 3), None]
    assert moved[6] == Place(geom.origin.file, 6, 3)
    assert moved_issues([], old, new) == []


def test_attributes_of_some_elements_are_put_into_what_was_read(files):
    document, _live, _model = opened(files / "main.xml")
    read = document.version().read
    floor, base = (next(one for one in read.root.walk() if one.name == name) for name in ("floor", "base"))
    found = with_elements(read, [floor.with_changes(attrs={"name": "floor", "size": "2 2 2"})])
    assert next(one for one in found.root.walk() if one.name == "floor").attrs["size"] == "2 2 2" and read.root is not found.root
    assert next(one for one in found.root.walk() if one.name == "base") is base
    assert with_elements(read, [floor.with_changes(id=10**9)]) is None
