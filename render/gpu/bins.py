"""What llvmpipe keeps of a picture when it is drawn: its triangles sorted by tiles ("bins"), up to 36 MB for each framebuffer's turn, and what it was drawn into, deleted or not.

It frees them only when their slot is taken for another picture, and it takes the first slot that is free: after heavy pictures, of which several parts were under
way at once, a hundred megabytes and more stay for as long as the pictures that follow are light ones. A large picture that keeps the driver's threads busy, and more tiny
ones behind it than there are slots, take all of them again.
"""
import moderngl

from render.gpu.unlocked import Calls

SLOTS = 66      # tiny pictures: more than the driver has slots (64 in Mesa's lp_setup)
SIDE = 8        # pixels of these
BUSY = 2048     # pixels of the large one: clearing it takes longer than asking for the tiny ones


def empty_bins(calls: Calls) -> None:
    """Have the driver free what it keeps of the pictures before; a few milliseconds. The framebuffer that was bound is bound again."""
    ctx = calls.ctx
    before = ctx.fbo
    parts = [ctx.renderbuffer((side, side), 4) for side in (BUSY, SIDE, SIDE)]
    large, *tiny = targets = [ctx.framebuffer([part]) for part in parts]
    calls.clear(large)
    for k in range(SLOTS):
        calls.clear(tiny[k % 2])
    calls.finish()
    for k in range(2):      # the slot of the large one
        calls.clear(tiny[k])
    calls.finish()
    if not isinstance(before.mglo, moderngl.InvalidObject):     # else it was released while it was bound: whoever draws next binds its own
        before.use()    # before those go: a released framebuffer must not stay bound
    for part in (*targets, *parts):
        part.release()
