"""Exact cache keys: each edit recompiles what it changes and nothing else, and no result is ever stale."""
import shutil

import pytest

from tests.physics.kernels.conftest import Workshop

LEAVES = """
FACTOR = 5.0
"""
WORK = '''
import leaves
from leaves import FACTOR
from physics.kernels.decorators import kernel, helper
from physics.kernels.rows import ld3

@helper
def inner(x):
    return x + 1.0

@helper
def outer(x):
    return inner(x) * 2.0

@kernel('f', 'f')
def leaf(x):
    """One."""
    return x + 10.0

@kernel('f', 'f')
def caller(x):
    return leaf(x) * 100.0

@kernel('f', 'f')
def with_helper(x):
    return outer(x)

@kernel('f', 'f')
def with_value(x):
    return x * FACTOR

@kernel('f', 'f')
def with_module_value(x):
    return x * leaves.FACTOR

@kernel('m d', 'f')
def with_field(m, d):
    return d.energy[0] + ld3(d.xpos, 0)[1] + m.opt_timestep
'''
RUN = """
r = load.ensure(['work'])
import work as w
print(json.dumps([r['kernels'], r['compiled'], [getattr(w, n)(1.0) for n in ('leaf', 'caller', 'with_helper', 'with_value', 'with_module_value')]]))
"""
FIRST = [11.0, 1100.0, 4.0, 5.0, 5.0]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    workshop = Workshop(tmp_path_factory.mktemp("stale"), workers=1)
    workshop.write("leaves.py", LEAVES)
    workshop.write("work.py", WORK)
    assert workshop.run(RUN) == [6, 6, FIRST]
    return workshop


@pytest.fixture
def built(original, tmp_path):
    return original.duplicate(tmp_path)


def test_nothing_is_compiled_twice_nor_for_comments_fields_and_places(built):
    assert built.run(RUN) == [6, 0, FIRST]
    built.edit("work.py", "return x + 10.0", "# because\n    return x + 10.0  # ten")
    built.edit("work.py", '"""One."""', '"""Another text."""')
    assert built.run(RUN) == [6, 0, FIRST]
    rows = 'Row("appended", "i", "", "", "x"),', 'Row("appended_array", "f8", "nbody 3", "", "x"),'
    built.edit("physics/fields/data_position.py", "\n    ),\n)\n", f"\n        {rows[1]}\n    ),\n)\n")
    built.edit("physics/fields/data_fields.py", "HARD_OVERLAPS)   #", f"HARD_OVERLAPS, ({rows[0]}))   #")
    built.edit("physics/fields/model_fields.py", "\n)\n", f"\n    {rows[0]}\n)\n")
    path = built.folder / "physics/fields/model_fields.py"
    assert path.read_text().endswith("\n)\n")
    path.write_text(path.read_text()[:-2] + f"    {rows[1]}\n)\n")
    assert built.run(RUN) == [6, 0, FIRST]
    moved = built.folder.parent / "elsewhere"
    shutil.move(built.folder, moved)
    built.folder = moved
    assert built.run(RUN) == [6, 0, FIRST]


def test_edits_recompile_exactly_what_they_change(built):
    built.edit("work.py", "return x + 1.0", "return x + 2.0")
    assert built.run(RUN) == [6, 1, [11.0, 1100.0, 6.0, 5.0, 5.0]]
    built.edit("leaves.py", "5.0", "7.0")
    assert built.run(RUN) == [6, 2, [11.0, 1100.0, 6.0, 7.0, 7.0]]
    built.edit("work.py", "return x + 10.0", "return x + 20.0")
    assert built.run(RUN) == [6, 1, [21.0, 2100.0, 6.0, 7.0, 7.0]]
    built.edit("work.py", "return x + 20.0", "return x + 10.0")
    assert built.run(RUN) == [6, 0, [11.0, 1100.0, 6.0, 7.0, 7.0]]


def test_a_field_that_moves_recompiles_the_kernels_that_name_it(built):
    built.edit("physics/fields/data_position.py", '    "position", (\n', '    "position", (\n        Row("inserted", "f8", "nbody", "", "x"),\n')
    assert built.run(RUN) == [6, 1, FIRST]


def test_reload_in_a_running_process_renews_callees_and_keeps_old_handles(built):
    code = """
import importlib, pathlib, leaves, work as w
load.ensure(['work'])
old = w.caller
before = old(1.0)
p = pathlib.Path('work.py')
p.write_text(p.read_text().replace('x + 10.0', 'x + 30.0'))
importlib.reload(w)
r = load.ensure(['work'])
print(json.dumps([before, r['compiled'], w.caller(1.0), w.leaf(1.0), old(1.0)]))
"""
    assert built.run(code) == [1100.0, 1, 3100.0, 31.0, 1100.0]


def test_source_edited_behind_a_running_process_is_not_stored_under_the_old_key(built):
    code = """
import pathlib, shutil, work, os
shutil.rmtree(os.environ['LINKWORK_CACHE'])
p = pathlib.Path('work.py')
p.write_text(p.read_text().replace('x + 10.0', 'x + 30.0'))
try:
    load.ensure(['work'])
except RuntimeError as error:
    print(json.dumps(str(error)))
"""
    message = built.run(code)
    assert "work__leaf" in message and "start again" in message
    assert built.run(RUN)[2][:2] == [31.0, 3100.0]
