"""Fences of llvmpipe, held so that it does not free one too early.

The driver ends what it draws into a framebuffer (its "scene") when another framebuffer is drawn into, and makes a fence for it, which its threads signal one after the other,
holding the fence's mutex. When the next scene begins it looks, without that mutex, whether an earlier fence has all its signals, and then frees it, even if the last thread
is still about to unlock the mutex (`lp_fence_signalled` and `lp_fence_signal` in Mesa's lp_fence.c, version 22.3 and later ones). A thread that is interrupted in that moment
writes into freed memory, and the process ends some time later in malloc or free: seen once in some hours of drawing, after small scenes in a row.

A GL sync object has a reference to the fence of the last scene. A thread has unlocked the mutex of a fence when it signals the next one, so that those of scenes before the last
`glFinish` but one can be let go of.
"""
import ctypes

SYNC_GPU_COMMANDS_COMPLETE = 0x9117
_pointer = ctypes.c_void_p


class Fences:
    """Of one context, which must be current in every call. address: GL function's address by name. Raises LookupError where a function is missing."""

    def __init__(self, address):
        made, freed = address('glFenceSync'), address('glDeleteSync')
        if not made or not freed:
            raise LookupError('glFenceSync')
        self._make = ctypes.CFUNCTYPE(_pointer, ctypes.c_uint, ctypes.c_uint)(made)     # ends the scene, which may wait for the threads: without the interpreter's lock
        self._free = ctypes.PYFUNCTYPE(None, _pointer)(freed)
        self._held, self._before = [], []

    def hold(self):
        """End the scene that is under way, and hold its fence; call before another framebuffer is drawn into."""
        self._held.append(self._make(SYNC_GPU_COMMANDS_COMPLETE, 0))

    def let_go(self):
        """Everything has been drawn: free the fences that were held when this was called last."""
        for sync in self._before:
            self._free(sync)
        self._held, self._before = [], self._held
