"""What a stage is said to read and write is what its kernels, with all that they call, do: found in their syntax trees."""
import importlib

import pytest

from physics.engine import forward
from physics.engine.step_order import STAGES
from physics.fields.layout import LAYOUTS
from physics.kernels import decorators
from physics.pipeline.formulas import FORMULAS
from physics.pipeline.numbers import NUMBERS
from physics.pipeline.stage_fields import ALL, EVERYTHING, INPUTS, SCRATCH, STAGE_FIELDS
from physics.warm_up import MODULES
from tests.architecture.kernel_fields import touched

ROWS = LAYOUTS["d"].rows


@pytest.fixture(scope="module")
def known():
    for name in MODULES:
        importlib.import_module(name)
    return {}


def closure(kernels, known) -> tuple[set[str], set[str]]:
    """Fields that kernels and all that they call read and write."""
    seen, pending, reads, writes = set(), [kernel.symbol for kernel in kernels], set(), set()
    while pending:
        symbol = pending.pop()
        if symbol not in seen:
            seen.add(symbol)
            found = touched(decorators.KERNELS[symbol].fn, known)
            reads |= found.reads
            writes |= found.writes
            pending += found.kernels
    return reads, writes


def shown(names) -> set[str]:
    return {name for name in names if name in ROWS and (not ROWS[name].private or name in SCRATCH)}


@pytest.mark.parametrize("number", range(len(STAGES)), ids=[f"{row.name}-{row.part}" for row in STAGES])
def test_the_table_says_what_the_kernels_do(number, known):
    kernels = STAGES[number].kernels if STAGES[number].name != "integrate" else (forward.single_step,)
    reads, writes = closure(kernels, known)
    assert set(STAGE_FIELDS[number].reads) == shown(reads)
    assert set(STAGE_FIELDS[number].writes) == shown(writes)


def test_runge_kutta_writes_nothing_that_no_stage_writes(known):
    reads, writes = closure((forward.rk4, forward.settle), known)
    assert shown(writes) <= set(EVERYTHING) and shown(reads) <= set(ALL)


def test_inputs_are_what_no_stage_writes():
    assert {"ctrl", "xfrc_applied", "qfrc_applied", "mocap_pos", "eq_active"} <= INPUTS and not INPUTS & set(EVERYTHING)
    assert all(ROWS[name].private for name in SCRATCH)


def test_each_stage_has_a_formula_about_fields_that_it_writes():
    assert len(FORMULAS) == len(NUMBERS) == len(STAGE_FIELDS) == len(STAGES)
    for row, formula, fields in zip(STAGES, FORMULAS, STAGE_FIELDS, strict=True):
        assert set(formula.shown) <= set(fields.writes), f"{row.name}: {set(formula.shown) - set(fields.writes)}"
        assert formula.text and formula.formulas and formula.chapter.startswith("Computation, ") and formula.matrix in ("", "M", "L", "J")
