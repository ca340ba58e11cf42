"""Framebuffers the renderer owns: the multisampled picture, the mirrored picture, the shadow atlas, the id picture."""
import moderngl

SHADOWS = 2      # shadow atlases that are kept: pictures at rest and in motion want theirs in turn, and one is 16 MB and more to make anew


class Targets:
    """Created on demand, recreated when a size changes. slot: pictures drawn in turn at sizes of their own keep framebuffers of their own under it."""

    def __init__(self, ctx, calls):
        self.ctx, self.calls = ctx, calls
        self.slot = ''
        self._made, self._shadows = {}, {}

    def _get(self, name, key, make):
        place = (self.slot, name)
        old = self._made.get(place)
        if old is None or old[0] != key:
            if old is not None:
                _free(old[1])
            self._made[place] = old = (key, make())
        return old[1]

    def drop(self, slot):
        """Free what was made under a slot."""
        for place in [place for place in self._made if place[0] == slot]:
            _free(self._made.pop(place)[1])

    def picture(self, size, samples):
        """Framebuffer the scene is drawn into; samples is cut to what the driver offers."""
        samples = min(samples, self.ctx.max_samples)

        def make():
            color = self.ctx.renderbuffer(size, 4, samples=samples)
            return self.ctx.framebuffer([color], self.ctx.depth_renderbuffer(size, samples=samples))

        return self._get('picture', (size, samples), make)

    def mirror(self, size, samples):
        """(framebuffer to draw into, framebuffer to resolve it into or None, texture) of the mirrored picture."""
        samples = min(samples, self.ctx.max_samples)

        def make():
            texture = self.ctx.texture(size, 4)
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer([texture], None if samples else self.ctx.depth_renderbuffer(size))

        def make_sampled():
            return self.ctx.framebuffer([self.ctx.renderbuffer(size, 4, samples=samples)], self.ctx.depth_renderbuffer(size, samples=samples))

        fbo = self._get('mirror', (size, samples > 0), make)
        texture = fbo.color_attachments[0]
        return (self._get('mirror samples', (size, samples), make_sampled), fbo, texture) if samples else (fbo, None, texture)

    def shadow(self, side, soft):
        """(framebuffer, depth texture) of the shadow atlas, of all slots; the sizes that were wanted last are kept."""
        def make():
            texture = self.ctx.depth_texture((side, side))
            texture.compare_func = '<='
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR) if soft else (moderngl.NEAREST, moderngl.NEAREST)
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer(depth_attachment=texture)

        fbo = self._shadows.pop((side, soft), None) or make()
        self._shadows[side, soft] = fbo
        while len(self._shadows) > SHADOWS:
            _free(self._shadows.pop(next(iter(self._shadows))))
        return fbo, fbo.depth_attachment

    def ids(self, size):
        """(framebuffer, texture) holding (segment + 1, depth) as two floats per pixel."""
        def make():
            texture = self.ctx.texture(size, 2, dtype='f4')
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            return self.ctx.framebuffer([texture], self.ctx.depth_renderbuffer(size))

        fbo = self._get('ids', size, make)
        return fbo, fbo.color_attachments[0]

    def normals(self, size):
        """(framebuffer, texture) holding a vector and 1 as four floats per pixel."""
        def make():
            return self.ctx.framebuffer([self.ctx.texture(size, 4, dtype='f4')], self.ctx.depth_renderbuffer(size))

        fbo = self._get('normals', size, make)
        return fbo, fbo.color_attachments[0]

    def outline(self, size, samples):
        """(framebuffer to draw into, framebuffer with the result, the same without samples) of the mask of what is outlined, a texture with mipmaps."""
        def make():
            texture = self.ctx.texture(size, 2)
            self.calls.build_mipmaps(texture)
            texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer([texture], None if samples else self.ctx.depth_renderbuffer(size))

        def make_sampled():
            return self.ctx.framebuffer([self.ctx.renderbuffer(size, 2, samples=samples)], self.ctx.depth_renderbuffer(size, samples=samples))

        samples = min(samples, self.ctx.max_samples)
        fbo = self._get('outline', (size, samples > 0), make)
        return (self._get('outline samples', (size, samples), make_sampled), fbo) if samples else (fbo, fbo)

    def occlusion(self, size):
        """Framebuffers of ambient occlusion: (normals and depths, share of the environment seen and depth, the same smoothed)."""
        def make(n, dtype, deep):
            texture = self.ctx.texture(size, n, dtype=dtype)
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST) if deep else (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer([texture], self.ctx.depth_renderbuffer(size) if deep else None)

        return (self._get('occlusion points', size, lambda: make(4, 'f4', True)), self._get('occlusion', size, lambda: make(2, 'f2', False)),
                self._get('occlusion smooth', size, lambda: make(2, 'f2', False)))

    def bloom(self, size):
        """Framebuffers of what glows: (light with mipmaps, their sum)."""
        def make(deep):
            texture = self.ctx.texture(size, 4, dtype='f2')
            if deep:
                self.calls.build_mipmaps(texture)
            texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST if deep else moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer([texture], self.ctx.depth_renderbuffer(size) if deep else None)

        return self._get('bloom', size, lambda: make(True)), self._get('bloom smooth', size, lambda: make(False))

    def rough_mirror(self, size):
        """Framebuffers of a rough mirror: (normals and distances in it, light with mipmaps, its picture spread)."""
        def make(dtype, deep, smooth):
            texture = self.ctx.texture(size, 4, dtype=dtype)
            if smooth:
                self.calls.build_mipmaps(texture)
            texture.filter = ((moderngl.LINEAR_MIPMAP_LINEAR if smooth else moderngl.NEAREST), (moderngl.NEAREST if deep else moderngl.LINEAR))
            texture.repeat_x = texture.repeat_y = False
            return self.ctx.framebuffer([texture], self.ctx.depth_renderbuffer(size) if deep else None)

        return (self._get('mirror points', size, lambda: make('f4', True, False)), self._get('mirror light', size, lambda: make('f2', False, True)),
                self._get('mirror spread', size, lambda: make('f1', False, False)))

    def release(self):
        """Free everything."""
        for fbo in (*(fbo for _, fbo in self._made.values()), *self._shadows.values()):
            _free(fbo)
        self._made.clear()
        self._shadows.clear()


def _free(fbo):
    for attachment in (*fbo.color_attachments, fbo.depth_attachment):
        if attachment is not None:
            attachment.release()
    fbo.release()
