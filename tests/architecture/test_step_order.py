"""The order of a step is said once: the table, the compiled step and the documentation agree."""
import ast
import inspect
import textwrap

from physics.engine import forward, stage_clock
from physics.engine.step_order import STAGES
from physics.kernels.decorators import HELPERS, Kernel
from tests.architecture.sources import ROOT

NUMBERS = {name: value for name, value in vars(stage_clock).items() if name.isupper()}
ASIDE = {"compute_sleep_state", "settle", "analyse_islands", "evaluate_timed"}   # for sleepers, for who is asked about controls, and the timed twin


def _for_the_profiler(call) -> bool:
    """Whether a call hands `True` on as `timed`; the same stages are called untimed beside it."""
    return any(isinstance(argument, ast.Constant) and argument.value is True for argument in call.args)


def _called(fn):
    """Kernels and marks in the order of the text, what forward.py holds itself opened up: ('kernel', it) and ('mark', number)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    calls = sorted((n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)), key=lambda n: (n.lineno, n.col_offset))
    for call in calls:
        callee = fn.__globals__.get(call.func.id)
        if call.func.id == "stage_ends":
            yield "mark", NUMBERS[call.args[3].id]
        elif isinstance(callee, Kernel) and callee.__name__ not in ASIDE:
            yield "kernel", callee
            if callee.module == forward.__name__ and all(callee not in row.kernels for row in STAGES):
                yield from _called(callee.fn)
        elif callee in HELPERS and callee.__module__ == forward.__name__ and not _for_the_profiler(call):
            yield from _called(callee)


def _rows(fn):
    """(number of the stage, kernels of the table called since the mark before) at each mark."""
    listed, since = {k for row in STAGES for k in row.kernels}, []
    for kind, what in _called(fn):
        if kind == "kernel":
            since += [what] if what in listed else []
        else:
            yield what, tuple(since)
            since = []


def test_the_compiled_step_takes_the_stages_of_the_table_in_its_order():
    found = [row for row in _rows(forward.step_from.fn) if row[0] != stage_clock.BEGIN]
    assert [number for number, _kernels in found[:len(STAGES)]] == list(range(len(STAGES)))
    for (_number, kernels), row in zip(found, STAGES):
        if row.name == "integrate":
            assert set(kernels) <= set(row.kernels)
        else:
            assert kernels == row.kernels, row.name
    assert {number for number, _kernels in found[len(STAGES):]} <= {stage_clock.INTEGRATE}


def test_the_two_halves_take_the_same_stages():
    halves = [number for half in (forward.step1, forward.step2) for number, _kernels in _rows(half.fn) if number != stage_clock.BEGIN]
    assert halves[:len(STAGES)] == list(range(len(STAGES)))


def test_the_page_lists_what_the_table_holds():
    lines = (ROOT / "docs" / "step.md").read_text().splitlines()
    listed = [line for line in lines if line.startswith("| ") and not line.startswith("| stage")]
    assert listed == [f"| {row.name} | {row.part} | {row.when} | {', '.join(f'`{k.__name__}`' for k in row.kernels)} | {row.finds} |" for row in STAGES]
