"""The files that some code is made of: found by its imports, told apart by size and time."""
import sys

import pytest

from physics.files.code_state import NoSource, _path, code_state, files_of


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of four modules; 'late' is imported in a function, 'far' by nobody."""
    folder = tmp_path / "made_up"
    folder.mkdir()
    for name, text in (("__init__", ""), ("top", "import os\nfrom made_up import (\n    near,\n)\n\ndef f():\n    from made_up.late import g\n    return g, near\n"),
                       ("near", "import made_up.deep as d\n"), ("deep", ""), ("late", "g = 1\n"), ("far", "")):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    sys.modules.pop("made_up", None)
    code_state.cache_clear()
    _path.cache_clear()


def test_imports_are_followed_late_ones_too(package):
    assert files_of(("made_up.top",), ("made_up.",)) == ("made_up.deep", "made_up.late", "made_up.near", "made_up.top")


@pytest.mark.parametrize("name, changes", [("deep", True), ("late", True), ("far", False)])
def test_a_changed_file_changes_the_state(package, name, changes):
    before = code_state(("made_up.top",), ("made_up.",))
    (package / f"{name}.py").write_text("x = 1   # longer than before\n")
    code_state.cache_clear()
    assert (code_state(("made_up.top",), ("made_up.",)) != before) == changes


def test_a_module_without_source_is_an_error(package):
    with pytest.raises(NoSource, match="gone"):
        code_state(("made_up.gone",), ("made_up.",))
