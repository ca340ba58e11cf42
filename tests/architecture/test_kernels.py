"""Rules for compiled code, and stage docstrings that tell the truth about what a stage reads and writes."""
import ast
import importlib
import re

import pytest

from physics.fields.layout import LAYOUTS
from physics.kernels import decorators
from physics.warm_up import MODULES
from tests.architecture.kernel_fields import touched
from tests.architecture.sources import decorator_names, imports, refuse, sources

FIELDS = frozenset(LAYOUTS["d"].rows)
BOOKKEEPING = frozenset({"need_ncon", "need_nefc", "need_nJ", "need_nH", "maxcon", "maxefc", "maxJ", "maxH"}) | {f for f in FIELDS if f.startswith("cb_")}
BOOKKEEPING |= {f for f in FIELDS if re.fullmatch(r"need_nh\w|maxh\w", f)}   # of the hard engine
BOOKKEEPING |= {"ntree_awake", "tree_awake", "body_awake"} | {f for f in FIELDS if f.endswith("_run")}   # who is awake: every stage asks
# field names that are also ordinary words
WORDS = frozenset({"time", "act", "M", "energy", "history", "ctrl", "plastic"})
HOMES = ("physics.engine", "physics.compiler.native")
COMPILERS = frozenset({"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass", "generated_jit"})


@pytest.fixture(scope="module")
def kernels():
    for name in MODULES:
        importlib.import_module(name)
    return {s: k for s, k in decorators.KERNELS.items() if k.module.startswith(HOMES)}


@pytest.fixture(scope="module")
def known():
    """What is known so far of the fields that functions touch."""
    return {}


def test_functions_are_compiled_through_the_decorators_only():
    wrong = []
    for s in sources():
        if s.module in (*decorators.LOWERING, *decorators.LOWERED_APART.values()):
            continue
        wrong += [f"{s.path}:{n.lineno}" for n in s.nodes if isinstance(n, ast.FunctionDef) and decorator_names(n) & COMPILERS]
        wrong += [f"{s.path}:{line} {name}" for name, line, _top in imports(s) if name.split(".")[0] == "numba"]
    refuse(wrong)


def test_no_kernel_is_found_by_its_symbol():
    """What a lower layer wants of a higher one is handed to it: a symbol in a string is an import that no test of imports sees."""
    wrong = []
    for s in sources():
        if not s.module.startswith("physics.kernels"):
            wrong += [f"{s.path}:{n.lineno} {n.value}" for n in s.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
                      and re.fullmatch(r"physics_\w+__\w+", n.value)]
            wrong += [f"{s.path}:{line} {name}" for name, line, _top in imports(s) if name == "physics.kernels.decorators.KERNELS"]
    refuse(wrong)


def test_kernels_live_in_the_engine_and_beside_the_compiler():
    wrong = []
    for s in sources():
        if not s.module.startswith(HOMES):
            wrong += [f"{s.path}:{n.lineno} {n.name}" for n in s.nodes if isinstance(n, ast.FunctionDef) and decorator_names(n) & {"kernel", "helper"}]
    refuse(wrong)


def test_module_list_holds_every_module_with_kernels():
    with_kernels = {s.module for s in sources("physics") if s.module.startswith(HOMES) and re.search(r"^@kernel\b", s.text, re.M)}
    assert set(MODULES) == with_kernels and len(set(MODULES)) == len(MODULES)


def test_what_a_step_needs_is_compiled_first(kernels):
    closure, todo, needed = decorators.Closure(), ["physics_engine_forward__step"], set()
    while todo:
        symbol = todo.pop()
        if symbol not in needed:
            needed.add(symbol)
            todo += closure.of(decorators.KERNELS[symbol].fn)[1]
    last = max(MODULES.index(decorators.KERNELS[s].module) for s in needed)
    later = {k.module for k in kernels.values()} - {decorators.KERNELS[s].module for s in needed}
    assert all(MODULES.index(name) > last for name in later)


def test_every_kernel_has_a_docstring(kernels):
    refuse([s for s, k in kernels.items() if not k.__doc__])


def _section(doc: str, title: str) -> str | None:
    """Text after 'Reads:' or 'Writes:' up to the next section."""
    m = re.search(rf"\b{title}:(.*?)(?=\n\s*(?:Reads|Writes|Source|Returns|Raises|Differs|Shapes)\b|\n\s*\n|\Z)", doc or "", re.S)
    return m.group(1) if m else None


def _named(text: str) -> set[str]:
    names = {f for f in re.findall(r"\w+", text) if f in FIELDS}
    for prefix in re.findall(r"(\w+_)\*", text):
        names |= {f for f in FIELDS if f.startswith(prefix)}
    return set(FIELDS) if "all computed fields" in text else names


def _closure(k, known) -> set[str]:
    seen, todo, fields = set(), [k.symbol], set()
    while todo:
        symbol = todo.pop()
        if symbol not in seen:
            seen.add(symbol)
            t = touched(decorators.KERNELS[symbol].fn, known)
            fields |= t.reads | t.writes
            todo += t.kernels
    return fields


def _stages(kernels):
    return [k for k in kernels.values() if k.args == ("m", "d") and not k.__name__.startswith("_")]


def test_stages_say_what_they_read_and_write(kernels):
    refuse([k.symbol for k in _stages(kernels) if _section(k.__doc__, "Reads") is None or _section(k.__doc__, "Writes") is None])


def test_stages_name_every_field_they_write(kernels, known):
    wrong = []
    for k in _stages(kernels):
        text = _section(k.__doc__, "Writes")
        missing = touched(k.fn, known).writes & FIELDS - _named(text or "") - BOOKKEEPING
        if text is not None and missing:
            wrong.append(f"{k.symbol} writes {sorted(missing)}")
    refuse(wrong)


def test_stages_name_every_field_they_read(kernels, known):
    wrong = []
    for k in _stages(kernels):
        reads, writes = _section(k.__doc__, "Reads"), _section(k.__doc__, "Writes")
        if reads is None or writes is None:
            continue
        missing = touched(k.fn, known).reads & FIELDS - _named(reads) - _named(writes) - BOOKKEEPING
        if missing and "what" not in reads:
            wrong.append(f"{k.symbol} reads {sorted(missing)}")
    refuse(wrong)


def test_fields_named_in_docstrings_are_touched(kernels, known):
    wrong = []
    for k in _stages(kernels):
        for title in ("Reads", "Writes"):
            text = _section(k.__doc__, title)
            if text is None or "all computed fields" in text or "*" in text:
                continue
            idle = _named(text) - _closure(k, known) - WORDS
            if idle:
                wrong.append(f"{k.symbol} names {sorted(idle)} in {title}")
    refuse(wrong)


def test_the_field_reader_sees_through_helpers_and_pointers():
    from tests.architecture import field_examples as e

    t = touched(e.stage.fn, {})
    assert t.reads == {"qpos", "xquat", "ncon", "cvel", "xmat"}
    assert t.writes == {"xpos", "time", "qvel", "cvel", "cdof", "xmat"}
    assert t.kernels == {e.other.symbol}
