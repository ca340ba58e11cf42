"""From LLVM's text of a kernel to its object file: for which processor, how code and constants are addressed, and what is optimised.

numba's code generator links into the running process; here its library class emits objects instead. Like lower.py this builds on the
internals of one version of numba, which lower.check_version() asks for.
"""
from __future__ import annotations

import llvmlite.binding as ll
from numba.core import codegen, cpu

from physics.kernels import link


def _keep_inside(module, symbol):
    """Make all functions but the kernel's entry private to the object, and inlined: a call would pass tuples through memory and test a status never set."""
    for function in module.functions:
        if not function.is_declaration and function.name != symbol:
            function.linkage = "internal"
            function.add_function_attribute("alwaysinline")


class ObjectLibrary(codegen.JITCodeLibrary):
    """Emit object files instead of linking into the process: helpers get a light clean-up, kernels one O3 pipeline."""

    def _optimize_functions(self, ll_module):
        """numba runs function passes here as code comes in: nothing but the data layout is needed, all is optimised at the end."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        """Called by finalize() when all is linked in: O3 for a kernel, O1 without vectorising for a helper, as it is optimised again inside kernels."""
        if self.name.startswith("kernel:"):
            _keep_inside(self._final_module, self.name.removeprefix("kernel:"))
            pb = self._codegen._pass_builder()
        else:
            pb = self._codegen._pass_builder(opt=1, loop_vectorize=False, slp_vectorize=False)
        pb.getModulePassManager().run(self._final_module, pb)

    def _finalize_final_module(self):
        """numba would link the module into the process here; a kernel's becomes an object file, and a helper's is kept to be linked in."""
        self._finalize_dynamic_globals()
        self._finalized = True
        if self.name.startswith("kernel:"):
            self.object_file = self._codegen._tm.emit_object(self._final_module)

    def get_pointer_to_function(self, name):
        """Asked for environments and wrappers that nothing uses."""
        return 1  # never called


def _no_executable(self, library, fndesc, env):
    """In place of a callable: numba wants one for each compiled helper; this has the address 1 and is never called."""
    from numba import _dynfunc

    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 1, env, (library,))


def _features(self) -> str:
    """The processor's features; on x86 loops are not vectorised by gathering: rows of 3 to 10 numbers are slower that way (measured on Zen 5)."""
    host = self._get_host_cpu_features()
    return host + ",+prefer-no-gather,+prefer-no-scatter" if host and ll.get_process_triple().startswith("x86_64") else host


_jit_options = codegen.JITCPUCodegen._customize_tm_options


def _options(self, options) -> None:
    """How LLVM addresses code and constants: by 32-bit distances where all kernels lie in one block, else anywhere."""
    _jit_options(self, options)
    if link.one_block():
        options["reloc"], options["codemodel"] = "pic", "small"


def install() -> None:
    """Have numba in this process make object files in place of code to run, for good. A worker does nothing else with numba; a second call changes nothing.

    These four names are what is relied on of its code generator; lower.py lists how a change of each would show.
    """
    codegen.JITCPUCodegen._library_class = ObjectLibrary
    codegen.JITCPUCodegen._customize_tm_features = _features
    codegen.JITCPUCodegen._customize_tm_options = _options
    cpu.CPUContext.get_executable = _no_executable
