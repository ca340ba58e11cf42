"""Text that a crash left behind, taken into a window that has a document of its own."""
import pytest
from PyQt6.QtWidgets import QMessageBox

from app.start_keys import remember_start_key
from editor.autosave import read_copy
from tests.editor.left_behind import leave

MODEL = """<mujoco>
  <worldbody><body name="{}"><joint axis="0 1 0"/><geom size=".1"/></body></worldbody>
  <keyframe><key name="home" qpos=".5"/><key name="away" qpos="1"/></keyframe>
</mujoco>"""


@pytest.fixture
def files(tmp_path):
    """(mine, other): two models, and a copy of unsaved text of the second that a program which died has left."""
    mine, other = tmp_path / "mine.xml", tmp_path / "other.xml"
    mine.write_text(MODEL.format("mine"))
    other.write_text(MODEL.format("other"))
    leave(tmp_path / "state" / "unsaved", str(other), {str(other): MODEL.format("left")})
    return mine, other


def copies(tmp_path):
    """The copies of unsaved text that are kept aside, by the document's name."""
    found = [read_copy(place) for place in (tmp_path / "state" / "unsaved").glob("*.json")]
    return {copy.key.rpartition("/")[2]: "".join(copy.files.values()) for copy in found}


@pytest.mark.parametrize("answer", ["Save", "Discard", "Cancel"])
def test_unsaved_text_is_asked_about_before_text_of_another_document_is_restored(workbench, files, tmp_path, monkeypatch, answer):
    mine, other = files
    bench = workbench(mine, size=(700, 420))
    bench.session.set_text(str(mine), MODEL.format("typed"))
    bench.session.autosave()
    bench.session.look_for_any_recovery()
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda *_, **__: asked.append(answer) or getattr(QMessageBox.StandardButton, answer))
    bar = bench.source.recovery_bar
    bar.button("restore").click()
    assert asked == [answer] and ("typed" in mine.read_text()) is (answer == "Save")
    if answer == "Cancel":
        assert bar.isVisible() and bench.session.path == mine and "typed" in bench.session.document.main.text and bench.session.recovery is not None
        assert "typed" in copies(tmp_path)["mine.xml"] and "left" in copies(tmp_path)["other.xml"]
    else:
        assert not bar.isVisible() and bench.session.path == other and "left" in bench.session.document.main.text
        assert list(copies(tmp_path)) == ["other.xml"]      # this window's own copy


def test_text_that_is_restored_starts_at_the_keyframe_of_its_document(workbench, files):
    mine, other = files
    bench = workbench(mine, size=(700, 420))
    remember_start_key(bench.settings, other, "away")
    bench.session.choose_start_key("home")
    bench.session.look_for_any_recovery()
    assert bench.session.restore() and bench.session.start_key == "away"
    bench.wait(lambda: bench.context.model.id("body", "left") == 1 and bench.snapshot.qpos[0] == 1)
