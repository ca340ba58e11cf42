"""What is written about the public names agrees with the module: the typed stub, the page of the interface, the tutorial, whose cells run."""
import ast
import enum
import importlib
import inspect
import json
import re
import tomllib

import pytest

import linkwork
from tests.linkwork import public_names as told

NOTEBOOK = told.ROOT / "docs" / "tutorial.ipynb"


def declared():
    """{name: node of the stub's tree}; of an import the alias beside its module."""
    found = {}
    for node in ast.parse(told.STUB.read_text()).body:
        if isinstance(node, ast.ImportFrom):
            found.update({alias.asname: (node.module, alias.name) for alias in node.names if alias.asname})
        elif isinstance(node, ast.ClassDef):
            found[node.name] = node
    return found


def test_the_stub_has_each_name_from_where_it_is_defined():
    stub = declared()
    assert set(stub) == set(dir(linkwork))
    for name, what in stub.items():
        if isinstance(what, tuple):
            assert getattr(importlib.import_module(what[0]), what[1]) is getattr(linkwork, name), name
        else:
            members = {node.targets[0].id: node.value.value for node in what.body}
            assert members == {member: int(value) for member, value in getattr(linkwork, name).__members__.items()}, name


def test_what_can_be_called_says_what_it_takes_and_gives():
    """Arguments without a type are those that may be anything NumPy makes an array of."""
    arrays = set()
    for name in dir(linkwork):
        value = getattr(linkwork, name)
        if inspect.isfunction(value):
            signature = inspect.signature(value)
            assert signature.return_annotation is not signature.empty, name
            arrays |= {argument for argument, parameter in signature.parameters.items() if parameter.annotation is parameter.empty}
        assert value.__doc__, name
    assert arrays <= {"a", "b", "c", "u", "v", "q", "x", "y", "axis", "camera", "controls", "ctrl", "data", "end", "euler", "force", "geomgroup", "m", "d", "mat", "model", "normal",
                      "options", "pnt", "point", "pos", "qpos", "qpos1", "qpos2", "qvel", "rest", "rgba", "size", "start", "state", "states", "torque", "vec", "vel", "warmstart"}


def test_packages_say_that_they_have_types():
    data = tomllib.loads((told.ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for package in ("linkwork", "physics", "app"):
        assert (told.ROOT / package / "py.typed").is_file() and "py.typed" in data[package], package
    assert "*.pyi" in data["linkwork"]


@pytest.mark.parametrize("path, made", [(told.STUB, told.stub), (told.PAGE, told.page)], ids=["stub", "page"])
def test_what_is_written_is_of_now(path, made):
    assert path.read_text() == made(), "python -m tests.linkwork.public_names writes it anew"


def test_no_public_name_is_missing_on_the_page():
    page = told.PAGE.read_text()
    entries = re.findall(r"^### `(\w+)", page, re.M)
    assert sorted(entries) == list(dir(linkwork))
    assert "### `step(m: Model, d: Data, nstep: int = 1, autoreset: bool | None = None) -> int`" in page and "Raises" in page
    for member in ("sync(state_only: bool = False)", "set_figures(", "update_hfield(hfieldid: int)"):
        assert f"- `{member}" in page
    hinge = next(line for line in page.splitlines() if "`HINGE` 3" in line)
    assert "`FREE` 0" in hinge
    assert not re.search(r"<[\w.]+ (object|class|function)", page)


def test_each_enumeration_of_a_group_is_there_once():
    assert all(isinstance(getattr(linkwork, name), enum.EnumMeta) or told.group_of(name) < len(told.GROUPS) - 1 for name in dir(linkwork))


def test_the_tutorial_is_stored_without_outputs():
    notebook = json.loads(NOTEBOOK.read_text())
    cells = notebook["cells"]
    assert notebook["nbformat"] == 4 and len({cell["id"] for cell in cells}) == len(cells) > 12
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for link in re.findall(r"\]\((\w+\.\w+)\)", text):
        assert (NOTEBOOK.parent / link).is_file(), link


def test_the_cells_of_the_tutorial_run(capsys):
    pytest.importorskip("gymnasium")
    space, values = {}, []
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            values.append(_run("".join(cell["source"]), space))
    out = capsys.readouterr().out
    assert values[1] == (1, 1, values[1][2]) and values[1][2] > 0
    assert "1.00 s" in out and "0 diverged" in out
    assert values[3][0] == (200, 1) and values[4].size == (320, 240) and values[4].array.std() > 5
    assert values[5] > 100 and values[-1] == ((8, 2), True)


def _run(text, space):
    """Run a cell; the value of its last expression, as a notebook shows it."""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), space)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
