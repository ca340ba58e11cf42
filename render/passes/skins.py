"""Moves the vertices of the drawn skins on the GPU, before anything is drawn.

    pass 1: one pixel per vertex into a float texture: the weighted sum over its bones
    pass 2: one point per vertex, captured into the skin's vertex buffer: normal from the moved triangles around it, then inflated

Skins whose bones have not moved since the last picture cost nothing.
"""
import moderngl

from render.gpu.skins import TABLES

TABLE_UNIT = 10      # texture unit of the first table; gpu/programs.py says so too


class SkinPass:
    """Fills gpu.skins.SkinMesh.moved."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._screen = self._points = None

    def run(self, scene):
        """Bring every skin of the scene to its pose."""
        if not scene.skins.n:
            return
        r = self.renderer
        for number, mesh in r.meshes.skins(scene):
            pose = scene.skins.of(number)
            if mesh.count and len(pose) == mesh.bones and mesh.set_pose(pose):
                self._move(mesh)

    def _move(self, mesh):
        r = self.renderer
        ctx = r.ctx
        if self._screen is None:
            self._screen = ctx.vertex_array(r.programs.get('skin_place'), [])
            self._points = ctx.vertex_array(r.programs.get('skin_normal'), [])
        for name in ('rest', 'held', 'entry', 'bone'):
            mesh.tables[name].use(TABLE_UNIT + TABLES.index(name))
        ctx.enable_only(moderngl.NOTHING)
        ctx.wireframe = False
        mesh.places.use()
        r.calls.draw(self._screen, moderngl.TRIANGLES, 3)
        for name in ('corner', 'place'):
            mesh.tables[name].use(TABLE_UNIT + TABLES.index(name))
        self._points.program['inflate'].value = mesh.inflate
        self._points.transform(mesh.moved, moderngl.POINTS, vertices=mesh.count)

    def release(self):
        """Free everything."""
        for item in (self._screen, self._points):
            if item is not None:
                item.release()
        self._screen = self._points = None
