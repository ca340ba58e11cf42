"""Repeat a C function without Python between the calls: both engines' stages are timed by the same machine code."""
import ctypes
from collections.abc import Callable

import llvmlite.binding as ll

LOOP = """
define void @repeat(void (i8*, i8*)* %function, i8* %model, i8* %data, i64 %count) {
entry:
  br label %again
again:
  %k = phi i64 [ 0, %entry ], [ %next, %again ]
  call void %function(i8* %model, i8* %data)
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %again, label %done
done:
  ret void
}
"""


def compile_loop() -> Callable[[int, int, int, int], None]:
    """A callable (function address, model address, data address, count) that calls function(model, data) count >= 1 times."""
    ll.initialize_native_target()
    ll.initialize_native_asmprinter()
    machine = ll.Target.from_default_triple().create_target_machine()
    text = LOOP if ll.llvm_version_info[0] < 15 else LOOP.replace("void (i8*, i8*)*", "ptr").replace("i8*", "ptr")
    engine = ll.create_mcjit_compiler(ll.parse_assembly(text), machine)
    engine.finalize_object()
    address = engine.get_function_address("repeat")
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(address)
    call.engine = engine   # the code lives as long as the callable
    return call
