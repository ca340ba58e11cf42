"""Numba's front end without what kernels never need: a third less time per kernel, the same machine code.

Compiling a kernel is mostly Python inside numba: typing, its passes, writing LLVM's text. What is left out here is bookkeeping for
features that kernels are refused anyway (reference counts, generators, debug information), or the same question asked again. That
the machine code stays the same is a test (tests/physics/kernels/test_quick_numba.py). Like lower.py this builds on the internals of
one version of numba, which lower.check_version() asks for.
"""
from __future__ import annotations

import functools
from types import SimpleNamespace

from numba.core import base, cgutils, compiler_machinery, errors, ir, lowering, typed_passes, typeinfer, types, untyped_passes
from numba.core.compiler_machinery import PassManager
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.typed_passes import BaseNativeLowering


class Passes(PassManager):
    """Runs the passes one after the other: no events, no timers, no new control flow graph after passes that change none."""

    def run(self, state):
        """Run all passes on a function. Raises NumbaError, naming the pass."""
        for step, _name in self.passes:
            inst = compiler_machinery._pass_registry.get(step).pass_inst
            inst.analysis = self._analysis
            try:
                inst.run_initialization(state)
                inst.run_pass(state)
                inst.run_finalizer(state)
            except errors.NumbaError as error:
                raise self._patch_error(f"Failed in nopython mode pipeline (step: {inst.name()})", error) from error


class _ErrorContext:
    """What is being done, for the message of an error that happens meanwhile; a generator per instruction would cost more than the instruction."""

    __slots__ = ("args", "named", "text")

    def __init__(self, fmt_, *args, **named):
        self.text, self.args, self.named = fmt_, args, named

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        if isinstance(error, errors.NumbaError):
            error.add_context(errors._format_msg(self.text, self.args, self.named))
        return False


class _NoContext:
    """A `with` that does nothing."""

    def __enter__(self):
        return None

    def __exit__(self, *_):
        return False


_NOTHING = _NoContext()


def _unfixed(self, filename=None, lineno=None):
    """Warnings of the type inference keep the place where Python finds them."""
    return _NOTHING


class Lower(lowering.Lower):
    """LLVM text of a function that counts no references and carries no debug information."""

    def incref(self, typ, val):
        """Count up, where the type is counted at all."""
        if _is_counted(typ):
            super().incref(typ, val)

    def decref(self, typ, val):
        """Count down, where the type is counted at all."""
        if _is_counted(typ):
            super().decref(typ, val)

    def alloca_lltype(self, name, lltype, datamodel=None):
        """Room for a variable; its size is asked for by debug information only."""
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    def notify_loc(self, loc):
        """Nobody listens."""


@functools.cache
def _is_counted(typ) -> bool:
    """Whether values of this type hold references that numba's run time counts (then the kernel is refused later, by name)."""
    return cpu_target.target_context.data_model_manager[typ].contains_nrt_meminfo()


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class QuickLowering(BaseNativeLowering):
    """numba's last pass, with `Lower`."""

    _name = "linkwork_lowering"

    @property
    def lowering_class(self):
        """Who writes the LLVM text."""
        return Lower


# ---------------------------------------------------------------- the same question twice

_get_call_type = types.Function.get_call_type


def _remembering(known: dict):
    """numba's get_call_type of built-in functions and operators that keeps its answers: typing and lowering ask for the same ones again and again."""

    def get_call_type(self, context, args, kws):
        if kws:
            return _get_call_type(self, context, args, kws)
        key = self, tuple(args)
        found = known.get(key)
        if found is None or found.args not in self._impl_keys:   # _impl_keys: what an answer leaves behind for lowering, in each instance
            found = known[key] = _get_call_type(self, context, args, kws)
        return found

    return get_call_type


# ---------------------------------------------------------------- what follows from the IR


class _NoLifetimes(PostProcessor):
    """numba computes after each pass anew how long variables live, and what a generator yields. Kernels have a use for that twice: after the rewrites
    (SSA relies on the loops' form that comes with it) and in the last pass; both take numba's own from elsewhere."""

    def run(self, emit_dels=False, extend_lifetimes=False):
        """Only say that nothing yields."""
        self.func_ir.generator_info = None


# ---------------------------------------------------------------- variables of an instruction

_PLAIN = frozenset({ir.Loc, str, int, bool, float, type(None)})


def _collect(value, out: list) -> None:
    kind = type(value)
    if kind is ir.Var:
        out.append(value)
    elif isinstance(value, ir.Inst):
        out.extend(value.list_vars())
    elif kind is tuple or kind is list:
        for item in value:
            _collect(item, out)
    elif kind is dict:
        for item in value.values():
            _collect(item, out)


def _variables(values) -> list:
    out = []
    for value in values:
        if type(value) not in _PLAIN:
            _collect(value, out)
    return out


def _text(value) -> str:
    """str, but '' for an instruction: lowering.py writes each out for a debug print that is off."""
    return "" if isinstance(value, ir.Inst) else str(value)


def install() -> None:
    """Put these in numba's place, in this process, for good; a second call does nothing."""
    if lowering.new_error_context is _ErrorContext:
        return
    for module in (lowering, typeinfer, compiler_machinery):
        module.new_error_context = _ErrorContext
    errors.WarningsFixer.catch_warnings = _unfixed
    types.Function.get_call_type = _remembering({})
    untyped_passes.postproc = typed_passes.postproc = SimpleNamespace(PostProcessor=_NoLifetimes)
    base._has_loc = functools.cache(base._has_loc)
    ir.Stmt.list_vars = lambda self: _variables(self.__dict__.values())
    ir.Expr.list_vars = lambda self: _variables(self._kws.values())
    lowering.str = _text
