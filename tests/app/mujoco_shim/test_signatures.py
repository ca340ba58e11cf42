"""Functions have the official names and arguments, by the official docstrings; what is not here raises by name when it is used."""
import inspect
import re

import mujoco
import pytest

from app.mujoco_shim import mujoco as ours
from app.mujoco_shim.mujoco.missing import NotHereError
from app.mujoco_shim.mujoco.tables.known_functions import CLASSES, FUNCTIONS


def arguments_of(docstring: str) -> list[str]:
    """Names of the arguments in a docstring's first line; commas inside brackets and quotes part none."""
    text, depth, quoted, words = docstring[docstring.index("(") + 1:docstring.rindex(") ->")], 0, False, [""]
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "[(") - (letter in "])")
        if letter == "," and not depth and not quoted:
            words.append("")
        else:
            words[-1] += letter
    return [word.split(":")[0].strip() for word in words if word.strip()]


OFFICIAL = {name: (getattr(mujoco, name).__doc__ or "").strip().split("\n\n")[0] for name in dir(mujoco)
            if re.match(r"mj[a-z]?_|set_mj|get_mj", name) and callable(getattr(mujoco, name))}
HERE = [name for name in sorted(OFFICIAL) if ours.is_here(name)]


def test_the_table_knows_every_official_function_with_its_arguments():
    table = {name: [word.partition(":")[0].partition("=")[0] for word in spec.split()] for name, spec, _result in FUNCTIONS}
    assert table == {name: arguments_of(doc) for name, doc in OFFICIAL.items()}


def test_many_are_here():
    assert len(HERE) >= 200


@pytest.mark.parametrize("name", HERE)
def test_arguments_are_the_official_ones(name):
    assert list(inspect.signature(getattr(ours, name)).parameters) == arguments_of(OFFICIAL[name])


def test_what_is_not_here_raises_its_name_when_used():
    absent = ours.mj_solveM2
    with pytest.raises(NotImplementedError, match="mujoco.mj_solveM2 is not in Linkwork's compatibility module"):
        absent()
    with pytest.raises(NotHereError, match="MjSpec.copy_back"):
        ours.MjSpec().copy_back(None)
    with pytest.raises(NotHereError, match="usd.exporter"):
        ours.usd.exporter(None)
    with pytest.raises(AttributeError, match="no attribute 'mj_nothing'"):
        ours.mj_nothing


def test_missing_classes_can_be_named_before_they_are_used():
    assert (ours.MjSpec | None) and not isinstance(3, ours.MjSpec) and ours.MjSpec is ours.MjSpec
    assert set(CLASSES) <= set(dir(ours)) and not hasattr(ours.MjSpec, "anything")
