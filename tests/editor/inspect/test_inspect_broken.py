"""While a text is no XML, and in models that are attached: attributes of what can be read are edited all the same."""
import pytest

from editor.document import Document
from editor.edits.patch import Edit, Patch
from editor.edits.version import Version
from editor.inspect.edits import rename, set_component
from editor.inspect.rows import row_of
from editor.inspect.subject import Reading

TEXT = """<mujoco>
  <worldbody>
    <geom name="before" size=".1"/>
    <geom name="broken" size=".2"/>
    <geom name="behind" size=".3"/>
  </worldbody>
</mujoco>
"""


def of(reading, version, name):
    return reading.subject([next(element.id for element in version.root.walk() if element.name == name)])


def test_elements_around_a_fault_can_be_changed():
    document = Document.new(TEXT)
    document.version()
    at = TEXT.index(' size=".2"/>')
    document.apply(Edit("typing", (Patch(document.main_key, at, at + 10, ' size=".2'),)))
    assert document.version().root is None
    reading = Reading(document.last_good)
    assert reading.broken
    for name, wanted in (("before", ".1"), ("behind", ".3")):
        subject = of(reading, document.last_good, name)
        document.apply(set_component(subject, row_of(subject, "size"), 0, lambda word: word + "5"))
        assert f'name="{name}" size="{wanted}5"' in document.main.text
        reading = Reading(document.last_good)
    subject = of(reading, document.last_good, "broken")
    with pytest.raises(ValueError, match="well-formed"):
        set_component(subject, row_of(subject, "size"), 0, lambda word: "1")
    with pytest.raises(ValueError, match="well-formed"):
        set_component(reading.section("option"), row_of(reading.section("option"), "timestep"), 0, lambda word: "0.001")
    document.apply(Edit("typing", (Patch(document.main_key, document.main.text.index(' size=".2') + 9, document.main.text.index(' size=".2') + 9, '"/>'),)))
    assert [element.attrs["size"] for element in document.version().root.walk() if element.tag == "geom"] == [".15", ".2", ".35"]


def test_elements_of_an_attached_model_have_its_own_classes_and_units(tmp_path):
    leg = '<mujoco model="leg"><compiler angle="radian"/><default><joint range="-1 1"/></default>'
    leg += '<worldbody><body name="leg"><joint name="knee"/><geom size=".1"/></body></worldbody></mujoco>'
    main = '<mujoco><asset><model name="leg" file="leg.xml"/></asset><worldbody><attach model="leg" body="leg" prefix="l_"/></worldbody></mujoco>'
    (tmp_path / "leg.xml").write_text(leg)
    key = str(tmp_path / "m.xml")
    version = Version.of({key: main, str(tmp_path / "leg.xml"): leg}, key, str(tmp_path))
    knee = next(element for root in version.trees()[1:] for element in root.walk() if element.name == "knee")
    subject = Reading(version).subject([knee.id])
    row = row_of(subject, "range")
    assert row.words == ("-1", "1") and row.units == ("rad", "rad") and row.layer == "class"
    edit = set_component(subject, row, 1, lambda word: "2")
    assert edit.files == (str(tmp_path / "leg.xml"),) and edit.patches[0].text == ' range="-1 2"'
    assert rename(subject, "ankle").files == (str(tmp_path / "leg.xml"),)
