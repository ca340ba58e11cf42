"""What the compiler's kernels see: the arrays an asset is made from and into. A table; see fields.py for how to read it.

The arrays are lent by whoever calls the kernel (physics/workpiece.py); sizes say what their rows are, nothing is allocated from them.
"""
from physics.fields_row import Row

ASSET_SCALARS = (
    Row("nleft", "i", "", "", "what a kernel could not do and leaves to its caller: a count, 0 for nothing"),
)

ASSET_ARRAYS = (
    Row("draw_state", "i8", "312", "", "state of the 64-bit Mersenne twister"),
    Row("tex_rgb", "u1", "npixel 3", "", "pixels of a texture being painted"),
    Row("tex_ends", "f8", "2 3", "", "the two colours of a gradient, 0 to 1"),
)
