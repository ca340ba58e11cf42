"""Pictures of what is not colour: distances, numbers, normals; shown as colours or read as floats.

    plan --identity pass--> numbers and depths, or normals (float targets) --screen pass--> picture

A number stands for one drawn thing (scene/identity.py). Transparent surfaces count as the others, as in the official arrays.
"""
from types import MappingProxyType

import moderngl
import numpy as np

from render.passes import identity
from render.scene import identity as numbers
from render.scene import snapshot

TABLE_WIDTH = 4096      # lib/table.glsl


def shown(flags) -> str:
    """What the picture shows: the scene's own choice, or else what the official switches ask for."""
    if flags.show != snapshot.COLOUR:
        return flags.show
    return (snapshot.ID if flags.idcolor else 'random') if flags.segment else snapshot.DEPTH if flags.depth else snapshot.COLOUR


class ChannelPass:
    """Draws a plan without light."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._table = None
        self._screens = {}

    def draw(self, what, plan, fbo, optics, size, scene):
        """Draw what `shown` says into the framebuffer."""
        if what in _MODES:
            self._flat(plan, fbo, optics, size, scene, *_MODES[what])
            return
        texture = self.ids(plan, optics, size, scene, True)
        fbo.use()
        if what == snapshot.DEPTH:
            self._screen('depth_picture', texture, unit=max(scene.look.extent, 1e-6))
        else:
            self._put_table(numbers.colours(scene, what == snapshot.TYPE)).use(0)
            self._screen('id_picture', texture)

    def ids(self, plan, optics, size, scene, with_transparent, through=False):
        """Texture of (number + 1, depth [m]), 0 where there is nothing. through: as in IdentityPass.run."""
        fbo, texture = self.renderer.targets.ids(size)
        self._flat(plan, fbo, optics, size, scene, identity.READ, with_transparent, through)
        return texture

    def normals(self, plan, optics, size, scene):
        """Texture of (normal 3, 1), 0 where there is nothing."""
        fbo, texture = self.renderer.targets.normals(size)
        self._flat(plan, fbo, optics, size, scene, identity.NORMAL, True)
        return texture

    def _flat(self, plan, fbo, optics, size, scene, mode, with_transparent, through=False):
        r = self.renderer
        ctx, culling = r.ctx, scene.flags.cull_face
        ctx.enable_only(moderngl.DEPTH_TEST | (moderngl.CULL_FACE if culling else 0))
        ctx.depth_func, ctx.front_face, ctx.cull_face, ctx.wireframe = '<=', 'ccw', 'back', False
        block = r.view_block('main')
        block.write(optics, size)
        block.bind()
        r.calls.clear(fbo)
        r.identity.run(plan, mode, with_transparent, culling, through)

    def _screen(self, name, texture, **uniforms):
        r = self.renderer
        program = r.programs.get(name)
        if name not in self._screens:
            self._screens[name] = r.ctx.vertex_array(program, [])
        texture.use(3)
        for uniform, value in uniforms.items():
            program[uniform].value = value
        r.ctx.enable_only(moderngl.NOTHING)
        r.calls.draw(self._screens[name], moderngl.TRIANGLES, 3)

    def _put_table(self, colours):
        rows = max(1, -(-len(colours) // TABLE_WIDTH))
        if self._table is None or self._table.size[1] < rows:
            self._free_table()
            self._table = self.renderer.ctx.texture((TABLE_WIDTH, 2 * rows), 4)
            self._table.filter = (moderngl.NEAREST, moderngl.NEAREST)
        padded = np.zeros((rows * TABLE_WIDTH, 4), np.uint8)
        padded[:len(colours)] = colours
        self._table.write(padded, viewport=(0, 0, TABLE_WIDTH, rows))
        return self._table

    def _free_table(self):
        if self._table is not None:
            self._table.release()
        self._table = None

    def release(self):
        """Free everything."""
        self._free_table()
        for screen in self._screens.values():
            screen.release()
        self._screens.clear()


# shown: mode of the identity pass, whether transparent things are in it
_MODES = MappingProxyType({'random': (identity.RANDOM_COLOR, True), snapshot.ID: (identity.ID_COLOR, True), snapshot.NORMAL: (identity.NORMAL_COLOR, True)})
