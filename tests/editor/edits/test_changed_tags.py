"""Versions of changed numbers: the same as reading the texts gives, element by element, and left to the reader where more than numbers changes."""
import random
from pathlib import Path

import pytest

from editor.document import Document
from editor.edits.attribute_patches import attribute_patches
from editor.edits.changed_tags import with_changed_tags
from editor.edits.patch import Edit, Patch
from editor.edits.version import Version
from physics.files.text_codec import decode
from physics.mjcf import reader
from physics.schema.numbers import parse
from physics.spec.defaults import Resolver
from tests.oracle.corpus import OURS, read_manifest, require_corpus

TEXT = """<mujoco>\r
  <!-- <geom size=".3"/> é -->
  <default><geom rgba='1 0 0 1'/></default>\r
  <worldbody>
    <body name="ä" pos="0 0 1"><geom name="g" size=".1"/><joint name="j" axis="0 1 0"/></body><site name="t" pos="0 0 0"/>
    <geom\tname="wide"
          size=".1   .2\t.3" type="box"/>
    <include file="part.xml"/> <geom name="beside" size=".6"/>
    <geom name="behind" size=".5"/>
    <geom name="odd&amp;" size=".1"/>
  </worldbody>
</mujoco>
"""
PART = '<x>\n  <body name="c"><geom size="1"/><site name="s" pos="1 2 3"/></body>\n</x>\n'


def version() -> Version:
    return Version.of({"m.xml": TEXT, "part.xml": PART}, "m.xml")


def named(v: Version, name: str):
    return next(element for element in v.root.walk() if element.name == name)


def described(v: Version) -> tuple:
    """All that a version tells."""
    elements = [(one.id, one.tag, dict(one.attrs), list(one.attrs), *one.origin[:5], one.origin.included_by, one.origin.open_end, dict(one.origin.attr_spans))
                for one in v.root.walk()]
    read = v.read
    return elements, list(read.issues), read.sources, read.main, read.base_dir, read.broken, dict(v.texts), {file: dict(known) for file, known in v.ids.items()}


def quick(before: Version, edit: Edit) -> Version | None:
    """The version after an edit without reading, which must be that of reading."""
    full = before.after(edit)
    found = with_changed_tags(before, edit, full.texts, before.main, before.base_dir, before.carried(edit))
    if found is not None:
        assert described(found) == described(full)
        assert found.read.ids == before.carried(edit)
        assert all(found.element(one.id) is one for one in found.root.walk())
    return found


def change(v: Version, of: str, **values) -> Edit:
    element = named(v, of)
    return Edit("change", attribute_patches(v.texts[element.origin.file], element, values))


@pytest.mark.parametrize("name, values", [
    ("g", {"size": ".25"}), ("g", {"size": ".2", "rgba": "1 0 0 1"}), ("ä", {"pos": "0.25 0 11"}), ("t", {"pos": "1 1 1"}), ("wide", {"size": "1 2 3.5"}),
    ("s", {"pos": "0.5 2 33"}), ("behind", {"size": ".75"}), ("g", {"size": ".1  "}), ("j", {"axis": None})])
def test_a_change_of_numbers_needs_no_reading(name, values):
    assert quick(version(), change(version(), name, **values)) is not None


def test_many_in_a_row_and_several_at_once():
    v = version()
    for k in range(5):
        changes = change(v, "g", size=f"{k}.{k}5"), change(v, "ä", pos=f"{10 ** k} 0 1"), change(v, "behind", size=f"{k}5")
        v = quick(v, Edit("several", tuple(patch for one in changes for patch in one.patches)))
    assert named(v, "behind").attrs["size"] == "45"


@pytest.mark.parametrize("name, values", [
    ("g", {"name": "h"}), ("odd&", {"size": ".2"}), ("g", {"size": "x"}), ("g", {"wrong": "1"}), ("g", {"size": "1 2 3 4"}), ("j", {"class": "red"}),
    ("g", {"rgba": "1 0 0 &"}), ("g", {"type": "box"}), ("beside", {"size": ".7"})])
def test_whatever_is_more_than_numbers_is_read(name, values):
    assert quick(version(), change(version(), name, **values)) is None


@pytest.mark.parametrize("old, new", [
    ('size=".3"', 'size=".4"'), ("\r\n", "\n"), ('size=".5"/>\n', 'size=".5"/>\n\n'), ('name="g" size=".1"/>', 'name="g" size=".1"></geom>'),
    ('size=".5"', 'size=".5'), ('size=".5"', 'size="\n.5"'), ('<include file', '<include  file')])
def test_other_changes_of_the_text_are_read(old, new):
    before, at = version(), TEXT.index(old)
    edit = Edit("typed", (Patch("m.xml", at, at + len(old), new),))
    full = before.after(edit)
    assert with_changed_tags(before, edit, full.texts, "m.xml", None, before.carried(edit)) is None


def test_a_line_of_which_there_is_something_to_tell_is_read():
    texts = {"m.xml": '<mujoco><worldbody>\n<geom size=".1"/> <geom size=".2"/> words\n<geom size=".3"/></worldbody></mujoco>'}
    before = Version.of(texts, "m.xml")
    assert before.read.issues
    first, _second, third = (one for one in before.root.walk() if one.tag == "geom")
    assert quick(before, Edit("", attribute_patches(texts["m.xml"], first, {"size": ".15"}))) is None
    assert quick(before, Edit("", attribute_patches(texts["m.xml"], third, {"size": ".35"}))) is not None


def test_a_document_reads_nothing_while_numbers_change(tmp_path, monkeypatch):
    (tmp_path / "m.xml").write_text(TEXT.replace("<include", "<!-- --><include"), newline="")
    (tmp_path / "part.xml").write_text(PART)
    document = Document.open(tmp_path / "m.xml")
    document.include(str(tmp_path / "part.xml"))
    g = named(document.version(), "g")
    reads = []
    real = reader.read_text
    monkeypatch.setattr(reader, "read_text", lambda *arguments, **options: reads.append(1) or real(*arguments, **options))
    from editor.edits.gesture import Gesture

    gesture, text = Gesture(document), document.main.text
    for k in range(1, 9):
        gesture.show(Edit("drag", attribute_patches(text, g, {"size": f"0.{k}{'5' * (k % 3)}"})))
        assert named(document.version(), "g").attrs["size"] == f"0.{k}{'5' * (k % 3)}" and document.version() is document.version()
    gesture.end()
    assert not reads
    document.undo()
    assert named(document.version(), "g").attrs["size"] == ".1" and not reads
    document.apply(Edit("typed", (Patch(document.main_key, 0, 0, "<!-- -->"),)))
    assert named(document.version(), "g") and len(reads) == 1


def random_edit(v: Version, resolver: Resolver, rng: random.Random) -> Edit | None:
    """Another number in some attribute of numbers."""
    element = rng.choice([one for one in v.root.walk() if one.attrs and one.origin.file in v.texts and one.id > 0])
    if element.id not in resolver.context:
        return None
    spec = resolver.spec(element)
    names = [name for name in element.attrs if (known := spec.attributes.get(name)) is not None and known.type == "real"]
    if not names:
        return None
    name = rng.choice(names)
    value = parse(spec.attributes[name], element.attrs[name])[0]
    if value is None:
        return None
    numbers = [value] if spec.attributes[name].scalar else value.tolist()
    return Edit("change", attribute_patches(v.texts[element.origin.file], element, {name: " ".join(f"{x + rng.random():.{rng.randrange(1, 6)}g}" for x in numbers)}))


def check_file(path: Path, edits: int, seed: int = 0) -> tuple[int, int]:
    """(edits that needed no reading, edits)."""
    read = reader.read(path)
    if read.root is None or read.errors:
        return 0, 0
    texts, rng = {key: decode(Path(key).read_bytes())[0] for key in read.sources}, random.Random(seed)
    v, quickly, made = Version.of(texts, read.main, str(path.parent)), 0, 0
    for _ in range(edits):
        edit = random_edit(v, Resolver(v.root), rng) if v.root.tag == "mujoco" else None
        if edit is None or not edit.patches:
            continue
        found = quick(v, edit)
        made, quickly = made + 1, quickly + (found is not None)
        v = found or v.after(edit)
        if v.read.errors:
            break
    return quickly, made


def test_models_of_ours():
    counts = [check_file(path, 4) for path in OURS if path.suffix == ".xml" and path.stat().st_size < 100_000]
    assert sum(quickly for quickly, _made in counts) > 0.8 * sum(made for _quickly, made in counts) > 20


def test_models_that_people_have():
    require_corpus()
    counts = [check_file(Path(one.path), 3) for one in read_manifest(require_corpus())[::6] if Path(one.path).stat().st_size < 200_000 and Path(one.path).suffix == ".xml"]
    assert sum(quickly for quickly, _made in counts) > 0.7 * sum(made for _quickly, made in counts) > 10
