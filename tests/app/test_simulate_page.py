"""docs/simulate.md: every item has a state and, unless it is left out, a test that exists."""
import ast
import re

import pytest

from tests.architecture.sources import ROOT

ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in (ROOT / "docs" / "simulate.md").read_text().splitlines()
        if line.startswith("| ") and not line.startswith("| item")]
REFERENCE = re.compile(r"`([\w/.]+\.py)::(\w+)`")


def functions(path) -> set[str]:
    """Names of the tests of a file."""
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def test_every_item_is_judged():
    assert len(ROWS) > 60
    assert {row[1] for row in ROWS} <= {"present", "better", "not meant", "not yet"}
    assert all(len(row) == 4 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_tests_of_an_item_exist(row):
    found = REFERENCE.findall(row[3])
    assert found or row[1].startswith("not "), "an item that is there is shown by a test"
    missing = [f"{path}::{name}" for path, name in found if not (ROOT / path).exists() or name not in functions(ROOT / path)]
    assert not missing
