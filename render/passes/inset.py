"""Pictures in the picture: a scene seen through another view, kept in a texture and pasted into a part of the target.

Each inset has a slot name: its framebuffers are its own, so that nothing is made anew when pictures of several sizes are drawn in turn.
"""
import moderngl


class InsetPass:
    """Of one Renderer; its context must be current in every call."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._targets = {}
        self._screen = None

    def draw(self, slot: str, scene, view, size):
        """Draw the scene for this inset, size (width, height) [pixel]."""
        self.renderer.draw(scene, view, self._target(slot, tuple(size)), tuple(size), slot=slot)

    def drawn(self, slot: str, size) -> bool:
        """Whether there is a picture of that size."""
        return slot in self._targets and self._targets[slot].size == tuple(size)

    def paste(self, slot: str, target, target_size, x: int, y: int):
        """Put the inset's last picture into the target, its top left corner at pixel (x, y) from the target's top left."""
        r, fbo = self.renderer, self._targets[slot]
        width, height = fbo.size
        program = r.programs.get('inset')
        if self._screen is None:
            self._screen = r.ctx.vertex_array(program, [])
        target.use()
        target.viewport = (x, target_size[1] - y - height, width, height)
        fbo.color_attachments[0].use(0)
        r.ctx.enable_only(moderngl.NOTHING)
        r.calls.draw(self._screen, moderngl.TRIANGLES, 3)
        target.viewport = (0, 0, *target_size)

    def drop(self, slot: str):
        """Free everything of an inset that is not shown any more."""
        fbo = self._targets.pop(slot, None)
        if fbo is not None:
            _free(fbo)
        self.renderer.targets.drop(slot)

    def _target(self, slot, size):
        fbo = self._targets.get(slot)
        if fbo is None or fbo.size != size:
            ctx = self.renderer.ctx
            texture = ctx.texture(size, 4)
            texture.repeat_x = texture.repeat_y = False
            self._targets[slot] = ctx.framebuffer([texture], ctx.depth_renderbuffer(size))
            if fbo is not None:
                self._targets[slot].use()       # before the old one goes: moderngl re-binds what was bound last
                _free(fbo)
        return self._targets[slot]

    def release(self):
        """Free everything."""
        for slot in list(self._targets):
            self.drop(slot)
        if self._screen is not None:
            self._screen.release()
            self._screen = None


def _free(fbo):
    for item in (*fbo.color_attachments, fbo.depth_attachment, fbo):
        item.release()
