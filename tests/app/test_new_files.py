"""Names for files to be written: what is added to a name that was entered overwrites nothing unasked."""
import pytest
from PyQt6.QtWidgets import QFileDialog, QMessageBox

WRITTEN = {"save_compiled": ("mine.lwb", "Saved"), "save_workspace": ("mine.toml", "saved to"), "screenshot": ("mine.png", "written to")}


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_file_is_overwritten_only_on_request_where_its_ending_was_added(workbench, tmp_path, monkeypatch, overwrite):
    bench = workbench(size=(700, 420))
    answer = QMessageBox.StandardButton.Yes if overwrite else QMessageBox.StandardButton.No
    for action, (name, said) in WRITTEN.items():
        there, other = tmp_path / name, tmp_path / f"another{name[4:]}"
        there.write_bytes(b"kept")
        entered, asked = [tmp_path / "mine", tmp_path / "another"], []
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, entered=entered, **_k: (str(entered.pop(0)), ""))
        monkeypatch.setattr(QMessageBox, "question", lambda _parent, _title, text, *_, asked=asked: asked.append(text) or answer)
        bench.actions[action].trigger()
        if action == "screenshot":
            bench.application.film.dialog.accept()
        bench.wait(lambda said=said: bench.logged(said))
        assert len(asked) == 1 and name in asked[0]
        assert (there.read_bytes() == b"kept") is not overwrite and other.exists() is not overwrite


def test_the_name_that_the_dialog_has_asked_about_is_not_asked_about_again(monkeypatch, tmp_path, qapp):
    from app.dialogs.files import ask_for_new_file, with_suffix

    (tmp_path / "a.png").write_bytes(b"")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "a.png"), ""))
    assert ask_for_new_file(None, "Picture", tmp_path, "Pictures (*.png)", lambda path, _filter: with_suffix(path, ".png")) == tmp_path / "a.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: ("", ""))
    assert ask_for_new_file(None, "Picture", tmp_path, "Pictures (*.png)", lambda path, _filter: path) is None
