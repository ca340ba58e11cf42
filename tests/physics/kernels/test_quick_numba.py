"""What is left out of numba's front end changes no machine code."""
from tests.physics.kernels.conftest import Workshop

WORK = """
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, st3

@helper
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

@helper
def larger(a, b):
    return max(a, b, 0)

@kernel()
def turn(m, d):
    best = 0.0
    for i in range(m.nbody):
        if m.body_parentid[i] > 0 and i % 3 != 1:
            v = cross(ld3(d.xpos, i), ld3(m.body_pos, i))
            x = larger(v[0], best)
            st3(d.xpos, i, (x, v[1] ** 2, -v[2] / 3))
            best = x if x < 4 else best + 1
        while best > 3.5:
            best -= larger(1, i)
    d.time = best
"""
BOTH = """
import hashlib, struct
from physics.engine.collide.convex import epa
from physics.kernels import lower, quick_numba
from physics.kernels.decorators import KERNELS
import work

def code(data):
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, offset + k * size) for k in range(count)]
    return hashlib.sha256(b"".join(data[r[4]:r[4] + r[5]] for r in rows if r[1] == 1)).hexdigest()   # PROGBITS: code and constants

if PLAIN:
    from numba.core.compiler_machinery import PassManager
    from numba.core.typed_passes import NativeLowering
    quick_numba.install = lambda: None
    quick_numba.Passes, quick_numba.QuickLowering = PassManager, NativeLowering
print(json.dumps([code(lower.compile_kernel(kernel)) for kernel in (KERNELS["work__turn"], epa.epa)]))   # EPA: loops that break off in many places
"""


def test_the_machine_code_is_that_of_plain_numba(tmp_path):
    workshop = Workshop(tmp_path)
    workshop.write("work.py", WORK)
    quick, plain = (workshop.run(f"PLAIN = {flag}" + BOTH) for flag in (False, True))
    assert quick == plain
