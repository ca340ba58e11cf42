"""From a file to its functions."""
import sys

import pytest

from app.scripts.declared import Declared
from app.scripts.loading import LoadError, load
from app.scripts.siblings import SiblingFinder
from physics.runtime.hooks.call_guard import CallGuard


@pytest.fixture
def loads(tmp_path):
    """loads(text, name): a script of that text, loaded; all is forgotten at the end."""
    finder, made = SiblingFinder(tmp_path), []

    def make(text, name="wave.py"):
        (tmp_path / name).write_text(text)
        made.append(f"linkwork_script_test_{len(made)}")
        return load(tmp_path / name, made[-1], Declared(lambda command: None, lambda level, text: None, {}), finder, CallGuard())

    make.finder = finder
    yield make
    finder.remove()
    for name in made:
        sys.modules.pop(name, None)


def test_functions_are_found_by_their_names(loads):
    found = loads("""
gain = ui.slider("gain", 0, 10, 2)
@ui.button("Kick")
def kick(): pass
def control(m, d): pass
def on_key(key): pass
def on_select(elements, m, d): pass
def draw(markers, m=None, snapshot=None): pass
def helper(a): pass
""")
    assert {name: hook.takes for name, hook in found.hooks.items()} == {"control": 2, "on_key": 1, "on_select": 3, "draw": 3}
    assert [(hook.kind, hook.takes) for hook in found.buttons] == [("button Kick", 0)] and found.declared.controls[0].name == "gain"
    assert found.hooks["control"].owner == "wave.py" and found.note == ""


def test_classes_of_a_script_are_ordinary_ones(loads):
    found = loads("""
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
@dataclass
class State:
    x: float = 0.0
    count: ClassVar[int] = 3
def control(m, d): pass
state = State(2.0)
""")
    assert found.module.state.x == 2.0 and found.module.__name__ in sys.modules


@pytest.mark.parametrize("text, line, said", [
    ("x = 1\ndef control(m, d):\n    y = (\n", 3, "SyntaxError"),
    ("x = 1\n\nimport nothing_of_this_name\n", 3, "ModuleNotFoundError"),
    ("def f():\n    return 1 / 0\nf()\n", 2, "ZeroDivisionError"),
    ("import sys\nsys.exit(3)\n", 2, "SystemExit"),
    ("x = 1\ndef control(d):\n    pass\n", 2, "control takes (m, d)"),
    ("def draw():\n    pass\n", 1, "(markers) or (markers, m, snapshot)"),
    ("@ui.button('Kick')\ndef kick(a, b, c): pass\n", 1, "the function of button Kick takes (m, d) or nothing"),
    ("async def control(m, d): pass\n", 1, "plain function"),
    ("def control(m, d):\n    yield\n", 1, "plain function"),
    ("ui.slider('a', 3, 2)\n", 1, "no range"),
])
def test_what_is_wrong_is_told_with_its_line(loads, tmp_path, text, line, said):
    with pytest.raises(LoadError) as error:
        loads(text)
    failure = error.value.failure
    assert failure.file == str(tmp_path / "wave.py") and failure.line == line and said in failure.text
    assert not [name for name in sys.modules if name.startswith("linkwork_script_test")]


def test_names_that_are_nothing_are_hinted_at(loads):
    assert "is before_step meant?" in loads("def befor_step(m, d): pass\ndef control(m, d): pass\n").note
    assert "no function in it is called" in loads("x = 1\n").note
    with pytest.raises(LoadError, match="control is to be a function"):
        loads("control = 7\n")


def test_a_file_that_is_not_there_or_not_text_is_told(loads, tmp_path):
    finder, ui = SiblingFinder(tmp_path), Declared(lambda command: None, lambda level, text: None, {})
    with pytest.raises(LoadError, match="cannot be read"):
        load(tmp_path / "none.py", "linkwork_script_test", ui, finder, CallGuard())
    (tmp_path / "raw.py").write_bytes(b"x = '\xff\xfe'\n")
    with pytest.raises(LoadError, match="SyntaxError"):
        load(tmp_path / "raw.py", "linkwork_script_test", ui, finder, CallGuard())


# ---------------------------------------------------------------- what lies beside it

def test_siblings_are_imported_as_they_are_now(loads, tmp_path):
    (tmp_path / "gains.py").write_text("kp = 10\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "legs.py").write_text("from gains import kp\ncount = 4 * kp\n")
    text = "from gains import kp\nfrom parts import legs\ndef control(m, d): pass\n"
    first = loads(text)
    assert first.module.kp == 10 and first.module.legs.count == 40
    assert {name.rsplit("/", 1)[1] for name in first.files} == {"wave.py", "gains.py", "__init__.py", "legs.py"}
    (tmp_path / "gains.py").write_text("kp = 20\n")      # of the same size, within the same second
    loads.finder.forget()
    assert loads(text).module.legs.count == 80 and not list(tmp_path.rglob("__pycache__"))


def test_an_error_in_a_sibling_is_told_where_it_is(loads, tmp_path):
    (tmp_path / "gains.py").write_text("kp = 10\nkd = kp / 0\n")
    with pytest.raises(LoadError) as error:
        loads("import gains\n")
    assert error.value.failure.file == str(tmp_path / "gains.py") and error.value.failure.line == 2


def test_no_sibling_takes_the_place_of_what_is_installed(loads, tmp_path):
    for name in ("numpy.py", "json.py", "gains.py"):
        (tmp_path / name).write_text("here = True\n")
    found = loads("import numpy, json, gains\ndef control(m, d): pass\n").module
    assert not hasattr(found.numpy, "here") and not hasattr(found.json, "here") and found.gains.here
    assert "gains" in sys.modules
    loads.finder.remove()
    assert "gains" not in sys.modules and loads.finder not in sys.meta_path


def test_two_folders_have_siblings_of_one_name(loads, tmp_path):
    (tmp_path / "gains.py").write_text("kp = 1\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "gains.py").write_text("kp = 2\n")
    (other / "b.py").write_text("import gains\ndef control(m, d): pass\n")
    first = loads("import gains\ndef control(m, d): pass\n")
    finder = SiblingFinder(other)
    second = load(other / "b.py", "linkwork_script_test_b", Declared(lambda c: None, lambda a, b: None, {}), finder, CallGuard())
    finder.remove()
    sys.modules.pop("linkwork_script_test_b")
    assert first.module.gains.kp == 1 and second.module.gains.kp == 2
