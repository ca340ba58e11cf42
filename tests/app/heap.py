"""What this process has from the C library, as glibc tells it."""
import ctypes
import sys


class Heap(ctypes.Structure):
    """What mallinfo2(3) tells."""
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def is_told() -> bool:
    """Whether the C library tells it."""
    return sys.platform.startswith("linux") and hasattr(ctypes.CDLL(None), "mallinfo2")


def in_use() -> int:
    """Bytes that are in use, in all its heaps and beside them."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Heap
    found = mallinfo()
    return found.uordblks + found.hblkhd
