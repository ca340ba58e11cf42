"""From a kernel to LLVM's text and an object file: numba's pipeline, cut down. Only compile workers (and tests) import it.

This and its neighbours lower_types.py, lower_primitives.py, object_file.py and quick_numba.py are the only files that import numba. The types go
through its documented extension points; what is here and in object_file.py goes deeper, and holds for one version of it (`check_version`):

    relied on                                       how one would notice that it changed
    JITCPUCodegen._library_class                    nothing is emitted: no object_file on the library, AttributeError in compile_kernel
    JITCodeLibrary's _optimize_functions,           the same, or other machine code: tests/physics/kernels/test_quick_numba.py compares with
      _optimize_final_module, _finalize_final_module  plain numba's, tests/physics/kernels/test_calls.py runs it
    JITCPUCodegen._customize_tm_features            gathers come back: speed only (python -m benchmarks.speed)
    JITCPUCodegen._customize_tm_options             kernels are addressed otherwise and not merged: tests/physics/kernels/test_link.py
    CPUContext.get_executable                       an error from LLVM: a library of ours is asked for an address in the process
    Flags.no_compile, compile_extra(library=...)    kernels are linked into the worker, or the library given is not filled: no object_file
    call_conv.call_function of a compiled function  wrong arguments: tests/physics/kernels/test_calls.py
    CompilerBase.define_pipelines, the passes' names  ImportError, or a pass that misses what a left-out one has made
    typeof_impl of a function and of a Kernel       'Untyped global name' with the name of the helper or kernel

What to do when numba is raised is in docs/kernels.md.
"""
from __future__ import annotations

import types as pytypes

import llvmlite.binding as ll
import numba
from llvmlite import ir
from numba import njit
from numba.core import compiler, registry, types
from numba.core import ir as nir
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import IRLegalization, NoPythonBackend, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.extending import typeof_impl

from physics.kernels import decorators, lower_primitives, object_file, quick_numba
from physics.kernels.lower_types import KIND

__all__ = ["check_version", "compile_kernel", "lower_primitives"]
ll.set_option("linkwork", "-unroll-runtime=false")  # most loops here are short: unrolling them only makes the code longer


def check_version() -> None:
    """Raise RuntimeError with what to do when another numba is installed than the one this file was written for."""
    if numba.__version__ != decorators.NUMBA_VERSION:
        raise RuntimeError(
            f"the kernel compiler needs numba {decorators.NUMBA_VERSION}, found {numba.__version__}: "
            f"pip install numba=={decorators.NUMBA_VERSION}"
        )


# ---------------------------------------------------------------- calls: kernels by symbol, helpers inlined


def c_signature(k):
    """Numba signature of a kernel: from its letters, not from what it does."""
    return KIND[k.ret](*[KIND[a] for a in k.args])


@typeof_impl.register(decorators.Kernel)
def _kernel_type(k, c):
    """A kernel that another one names is a C function of this symbol: it is called, and compiled by itself."""
    return types.ExternalFunction(k.symbol, c_signature(k))


_dispatchers = {}


@typeof_impl.register(pytypes.FunctionType)
def _function_type(fn, c):
    """A helper is a numba function of its own, compiled for the types it is called with; any other function is unknown, which refuses the kernel.

    numba asks this for every global that is a Python function; its own functions are found before. A dispatcher is kept, so that a worker
    compiles a helper once for all kernels that call it.
    """
    if fn in decorators.HELPERS:
        if fn not in _dispatchers:
            _dispatchers[fn] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy",
                                    fastmath=set(decorators.HELPERS[fn]), pipeline_class=Lean)(fn)
        return types.Dispatcher(_dispatchers[fn])


# ---------------------------------------------------------------- compiling


@register_pass(mutates_CFG=False, analysis_only=True)
class NoRaise(AnalysisPass):
    """Refuse raise and assert: without the interpreter they would be a silent return."""

    _name = "linkwork_no_raise"

    def __init__(self):
        """numba makes one for each pipeline."""
        AnalysisPass.__init__(self)

    def run_pass(self, state):
        """Look at every statement of numba's IR. False: nothing was changed. Raises TypeError with the line."""
        for block in state.func_ir.blocks.values():
            for st in block.body:
                if isinstance(st, nir.Raise | nir.StaticRaise | nir.DynamicRaise):
                    raise TypeError(f"{state.func_id.func_name}, line {st.loc.line}: raise or assert in a kernel")
        return False


class Lean(CompilerBase):
    """Numba's pipeline without the passes that kernels never need."""

    def define_pipelines(self):
        """One pipeline, without a second that would fall back to objects. Left out: inlining, prange, literal unrolling, array rewrites, `with`
        blocks, generators, dead branches and the passes that only serve these. The order is numba's own."""
        pm = quick_numba.Passes("nopython")
        for step in (TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, NoRaise, ReconstructSSA, NopythonTypeInference,
                     PreLowerStripPhis, IRLegalization, quick_numba.QuickLowering, NoPythonBackend):
            pm.add_pass(step, step.__name__)
        pm.finalize()
        return [pm]


ALLOWED = frozenset(
    "sin cos sincos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log10 log2 log1p pow sqrt cbrt hypot fmod floor ceil round"
    " trunc erf erfc memcpy memset memmove".split()
)


def _refuse_symbols(k, module) -> None:
    """Raise TypeError where the object would need what nobody may provide: loading it would not fail, calling it would crash the process."""
    for fn in module.functions:
        name = fn.name
        if fn.is_declaration and not name.startswith("llvm.") and name not in ALLOWED and name not in decorators.KERNELS:
            why = "it allocates memory" if name.startswith("NRT") else "it calls into the interpreter" if name.startswith("Py") else "unknown symbol"
            raise TypeError(f"needs the forbidden symbol {name}: {why}")


def _wrap(k, lib, tc, compiled, sig):
    """Add the C entry point; the compiled body is inlined into it like any helper.

    numba's own convention returns a status and stores the result through a pointer: the status is dropped, as nothing in a kernel can raise.
    """
    mod = lib.create_ir_module("entry")
    ret = tc.get_value_type(sig.return_type) if k.ret else ir.VoidType()
    fn = ir.Function(mod, ir.FunctionType(ret, [tc.get_value_type(a) for a in sig.args]), k.symbol)
    b = ir.IRBuilder(fn.append_basic_block())
    _status, result = tc.call_conv.call_function(b, tc.declare_function(mod, compiled.fndesc), sig.return_type, sig.args, fn.args)
    b.ret(result) if k.ret else b.ret_void()
    lib.add_ir_module(mod)


@global_compiler_lock
def compile_kernel(k: decorators.Kernel) -> bytes:
    """Object file that exports k.symbol with the C calling convention.

    Raises KernelError naming the kernel and its place, with Numba's reason.
    """
    object_file.install()
    quick_numba.install()
    ty, tc = registry.cpu_target.typing_context, registry.cpu_target.target_context
    ty.refresh()
    tc.refresh()
    flags = compiler.Flags()
    options = dict(nopython=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy", fastmath=set(k.fastmath))
    registry.cpu_target.options.parse_as_flags(flags, options)
    flags.no_compile = True
    sig = c_signature(k)
    lib = tc.codegen().create_library("kernel:" + k.symbol)
    try:
        compiled = compiler.compile_extra(ty, tc, k.fn, sig.args, sig.return_type, flags, {}, library=lib, pipeline_class=Lean)
        _wrap(k, lib, tc, compiled, sig)
        lib.finalize()
        _refuse_symbols(k, lib._final_module)
    except Exception as error:
        raise decorators.KernelError(f"{decorators.place(k.fn)}: {error}") from error
    return lib.object_file
