"""What llvmpipe keeps of a picture when it is drawn: its triangles sorted by tiles ("bins"), up to 36 MB for each framebuffer's turn.

It frees them only when their slot is taken for another picture, and it takes the first slot that is free: after heavy pictures, of which several parts were under
way at once, a hundred megabytes and more stay for as long as the pictures that follow are light ones. Several tiny ones after each other take all those slots again.
"""
import moderngl

from render.gpu.unlocked import Calls

SLOTS = 24      # tiny pictures: more than there are turns in one of ours
SIDE = 8        # pixels


def empty_bins(calls: Calls) -> None:
    """Have the driver free what it keeps of the pictures before; some tenths of a millisecond. The framebuffer that was bound is bound again."""
    ctx = calls.ctx
    before = ctx.fbo
    parts = [ctx.renderbuffer((SIDE, SIDE), 4) for _ in range(2)]
    targets = [ctx.framebuffer([part]) for part in parts]
    for k in range(SLOTS):
        calls.clear(targets[k % 2])
    calls.finish()
    if not isinstance(before.mglo, moderngl.InvalidObject):     # else it was released while it was bound: whoever draws next binds its own
        before.use()    # before those go: a released framebuffer must not stay bound
    for part in (*targets, *parts):
        part.release()
