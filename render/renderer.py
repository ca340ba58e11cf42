"""Draws a Scene: the passes of one frame in order.

    skins -> arrange (CPU) -> shadow atlas -> in the physical look: environment maps, ambient occlusion -> opaque, mirrors (each one's
    picture, then its surface), sky, lines, transparent into
    the own multisampled framebuffer -> resolved into the target -> outline of what is selected

In software, where samples cost most, parts of the picture that hold nothing but ground or sky go straight into the target (regions.py).

A Renderer lives in one GL context, which must be current in every call; it knows no toolkit. After a context was lost,
make a new Renderer: a Scene holds nothing of the GPU.
"""
import moderngl
import numpy as np

from render.gpu.instances import InstanceBuffer
from render.gpu.lights import LightBlock, gather
from render.gpu.meshes import Meshes, Patch
from render.gpu.programs import Programs
from render.gpu.targets import Targets
from render.gpu.textures import Textures
from render.gpu.uniforms import Optics, ViewBlock
from render.gpu.unlocked import calls_of
from render.gpu.wires import Wires
from render.passes.arrange import arrange
from render.passes.backdrop import BackdropPass
from render.passes.channels import ChannelPass, shown
from render.passes.depth_range import order_bias, tightened
from render.passes.identity import IdentityPass
from render.passes.lines import LinePass
from render.passes.physical.physical import PhysicalLook
from render.passes.reflection import ReflectionPass
from render.passes.regions import WHOLE, cut
from render.passes.selection_outline import SelectionOutline
from render.passes.shadow import ShadowPass
from render.passes.skins import SkinPass
from render.passes.sky import SKY_DISTANCE, SkyPass
from render.passes.steps import any_numbers, finish
from render.passes.surfaces import SurfacePass
from render.quality import Quality, choose, is_software
from render.scene.snapshot import COLOUR

CUBE_MAP_SEAMLESS = 0x884F
ANY_NUMBERS = np.errstate(all='ignore')     # absurd places and sizes are drawn as they come, or not at all


def drawable(view) -> bool:
    """Whether a view can be drawn at all: finite, with some depth and height."""
    numbers = (*view.pos, *view.forward, *view.up, view.top, view.bottom, view.near, view.far, view.center, view.halfwidth)
    return bool(np.isfinite(numbers).all()) and 0 < view.near < view.far and view.top > view.bottom and np.linalg.norm(view.right_raw()) > 1e-9


class Renderer:
    """All GL objects of one context. quality None: chosen from the driver's name."""

    def __init__(self, ctx: moderngl.Context, quality: Quality | None = None):
        self.ctx = ctx
        self.quality = quality or choose(ctx.info['GL_RENDERER'])
        self.calls = calls_of(ctx)
        self.max_texture = ctx.info['GL_MAX_TEXTURE_SIZE']
        self.programs = Programs(ctx)
        self.targets = Targets(ctx, self.calls)
        self.in_parts = is_software(ctx.info['GL_RENDERER'])      # whether ground and sky are drawn without samples where nothing else is
        # anisotropic filtering costs software GL five times the floor, for little
        self.textures = Textures(ctx, self.calls, 1 if self.in_parts else self.quality.anisotropy)
        self.meshes = Meshes(ctx)
        self.main, self.casters = (InstanceBuffer(ctx, self.calls, in_parts=self.quality.software) for _ in range(2))
        self.lights, self.wires = LightBlock(ctx), Wires(ctx)
        self.patch = None           # of the ground
        self.surfaces, self.shadow, self.reflection = SurfacePass(self), ShadowPass(self), ReflectionPass(self)
        self.sky, self.lines, self.identity, self.skins = SkyPass(self), LinePass(self), IdentityPass(self), SkinPass(self)
        self.channels, self.backdrop, self.outline = ChannelPass(self), BackdropPass(self), SelectionOutline(self)
        self._views = {}
        self._assets = self._common = None      # of what was uploaded
        self._physical = None
        self.culling = True
        self.textures.restore_uploads()   # a host may write text before the first picture
        self.background = None      # a colour in place of the sky, which goes on shining

    def view_block(self, name) -> ViewBlock:
        """The uniform buffer of a named picture; several may be in flight in one frame."""
        if name not in self._views:
            self._views[name] = ViewBlock(self.ctx)
        return self._views[name]

    @property
    def physical(self) -> PhysicalLook:
        """The physically based look, made when first asked for."""
        if self._physical is None:
            self._physical = PhysicalLook(self)
        return self._physical

    # ------------------------------------------------------------ one frame

    def draw(self, scene, view, target, size=None, samples=None, slot=''):
        """Draw into a framebuffer (any moderngl one, also a host's). size: (width, height), default the target's.
        slot: names a picture that is drawn in turn with others of other sizes (gpu/targets.py)."""
        finish(self.steps(scene, view, target, size, samples, slot))

    def steps(self, scene, view, target, size=None, samples=None, slot=''):
        """`draw` as a generator that pauses after every few milliseconds of work; the scene must stay as it is and nothing else may use the renderer
        until it ends or is closed."""
        return any_numbers(self._steps(scene, view, target, size, samples, slot))

    def _steps(self, scene, view, target, size, samples, slot):
        size = tuple(size or target.size)
        if min(size) <= 0:
            return
        target.use()    # moderngl re-binds the last framebuffer after making one; a host may have deleted that in a resize
        if not drawable(view):
            target.clear(0, 0, 0, 1)
            return
        what = shown(scene.flags)
        yield
        optics, plan = yield from self._prepare(scene, view, size, what == COLOUR and self._apart(scene))
        yield
        samples = min(self.quality.samples if samples is None else samples, max(scene.look.offsamples, 0))
        self.targets.slot = slot
        fbo = self.targets.picture(size, samples if what == COLOUR else 0)
        if what != COLOUR:
            self.channels.draw(what, plan, fbo, optics, size, scene)
            rectangles = [None]
        else:
            try:
                rectangles = yield from self._lit(scene, view, plan, optics, fbo, target, size, samples)
            finally:
                self.ctx.wireframe, self.ctx.line_width = False, 1
        self.ctx.enable_only(moderngl.NOTHING)
        self._resolve(target, fbo, rectangles)
        if what == COLOUR and scene.flags.physical:
            self.physical.bloom(scene, optics, target, size)
        self.outline.run(plan, scene, optics, target, size, samples)
        self.targets.slot = ''
        self._leave(target)

    def _resolve(self, target, fbo, rectangles):
        for rectangle in rectangles:
            target.scissor = rectangle
            self.calls.copy(target, fbo)
        target.scissor = None

    def _prepare(self, scene, view, size, grounded=False):
        self._free_programs()
        self._sync(scene)
        self.skins.run(scene)
        self.meshes.next_frame()
        optics = Optics.of(view, size[0] / size[1])
        height = (view.top - view.bottom) / (1 if view.orthographic else view.near)
        plan = arrange(scene, optics, size, height, self.quality, self.textures, grounded)
        yield
        close = tightened(view, size[0] / size[1], plan, scene.assets.mesh_boxes())
        optics = Optics.of(close, size[0] / size[1])
        optics.bias = order_bias(close, plan)
        yield
        self.main.write(plan.rows)
        return optics, plan

    def _free_programs(self):
        """Free the programs that pictures of late do without."""
        gone = self.programs.next_picture()
        if gone:
            self.main.forget()
            self.casters.forget()
        for program in gone:
            program.release()

    def _sync(self, scene):
        """Upload what changed with the model."""
        assets = scene.assets
        if self._common != assets.common:
            self.textures.set_assets(assets)
            self._forget()
            self.wires.release()
            self.meshes.set_model(assets.meshes, assets.skins)
        elif self._assets != assets.key:
            gone = self.meshes.set_further(assets.meshes, assets.common[1])
            self._forget(gone)
            for mesh in gone:
                mesh.release()
            self.textures.set_meshes(assets)
        self._assets, self._common = assets.key, assets.common
        detail = self.quality.detail
        if self.meshes.set_detail(max(6, round(scene.look.numslices * detail)), max(4, round(scene.look.numstacks * detail))):
            self._forget()

    def _forget(self, meshes=None):
        """Meshes were freed, or some are about to be."""
        for part in (self.main, self.casters, self.outline):
            part.forget(meshes)

    def _lit(self, scene, view, plan, optics, fbo, target, size, samples):
        """Draw colours, in steps; rectangles of the framebuffer that belong into the target, which has the others."""
        ctx, flags = self.ctx, scene.flags
        look = self.physical if flags.physical else None
        lights = gather(scene, optics, self.quality.faithful, flags.physical)
        if look:
            lights = look.begin(scene, lights, plan)
        yield
        shadows, texel = self.shadow.prepare(scene, plan, lights, view, optics, size)
        yield
        self.casters.write(plan.more_rows())
        yield
        yield from self.shadow.run()
        self.lights.write(lights, shadows, texel)
        self.surfaces.set_lights(lights, shadows, flags.fog)
        self.surfaces.set_look(look, look is not None and look.occlude(plan, scene, view, optics, size))
        self.culling = flags.cull_face
        ctx.enable_direct(CUBE_MAP_SEAMLESS)
        ctx.depth_func = '<='
        ctx.front_face, ctx.cull_face = 'ccw', 'back'
        ctx.wireframe = flags.wireframe
        ctx.line_width = max(scene.look.linewidth, 1) if flags.wireframe else 1
        self.surfaces.detail = (self.meshes.slices, self.meshes.stacks, max(scene.look.numquads, 1)) if flags.wireframe else None
        block = self.view_block('main')
        block.write(optics, size, scene.look, flags.fog)
        mirror_samples = samples if self.quality.fine_mirrors or self.quality.mirror_samples else 0
        yield
        regions = self._regions(scene, plan, optics, size, lights, shadows, texel)
        yield
        if plan.mirrors:
            yield from self.reflection.run(0, plan, scene, optics, size, mirror_samples, regions)
        block.bind()
        self.sky.fit(scene, optics, size)
        if regions is not None:
            self.backdrop.run(regions, plan, scene, optics, target, size)
        else:
            regions = WHOLE
        if regions.many:
            yield from self._edges(scene, plan, optics, fbo, size, mirror_samples, regions)
        return regions.many

    def _apart(self, scene) -> bool:
        """Whether ground and sky are drawn without samples where nothing else is."""
        return self.in_parts and self.quality.parts and not scene.flags.wireframe

    def _regions(self, scene, plan, optics, size, lights, shadows, texel):
        """How the picture is cut, None if it is drawn as a whole."""
        if not self._apart(scene):
            return None
        heaven = (0.0, np.inf)
        if self.background is None and self.sky.shown(scene):
            heaven = SKY_DISTANCE * optics.far, self.sky.hazeless(scene, optics)
        regions = cut(plan, optics, size, scene, heaven, lights, shadows, texel, not scene.flags.physical)
        if regions is not None and regions.indices is not None:
            self._write_patch(regions.vertices, regions.indices)
        return regions

    def _write_patch(self, vertices, indices):
        if self.patch is None or not self.patch.write(vertices, indices):
            if self.patch is not None:
                self.main.forget()
                self.patch.release()
            self.patch = Patch(self.ctx, 2 * len(vertices))
            self.patch.write(vertices, indices)

    def _edges(self, scene, plan, optics, fbo, size, mirror_samples, regions):
        """Everything, with all samples, where there are edges, in steps."""
        ctx, flags = self.ctx, scene.flags
        state = moderngl.DEPTH_TEST | (moderngl.CULL_FACE if flags.cull_face else 0)
        ctx.enable_only(state)
        first = fbo.samples > 0     # then what is hidden costs as much as what is seen, and the ground clears what it fills
        for rectangle in regions.beyond if first else regions.many:
            fbo.scissor = rectangle
            self.calls.clear(fbo, *(self.background or (0, 0, 0)), 1)
        fbo.scissor = None
        fbo.use()
        if first and plan.ground is not None:
            ctx.depth_func = '1'
            self.surfaces.ground(plan.ground, regions.edged)
            ctx.depth_func = '<='
        yield from self.surfaces.opaque(plan)
        if not first and plan.ground is not None:
            self.surfaces.ground(plan.ground, regions.edged)
        if not flags.wireframe:
            yield from self._mirrors(plan, scene, optics, fbo, size, mirror_samples)
        if self.background is None:
            self.sky.run(scene, optics, regions.beyond, [None] if regions.misty else [])
        if flags.wireframe:     # the sky is seen between the edges
            yield from self._mirrors(plan, scene, optics, fbo, size, mirror_samples)
        self.lines.opaque(plan.lines)
        if not flags.additive:
            self.lines.transparent(plan.lines, False, fbo)
        yield from self.surfaces.transparent(plan, flags.additive, fbo)
        if not flags.wireframe:
            yield from self.surfaces.through(plan, fbo)
        self.lines.transparent(plan.lines, flags.additive, fbo)

    def _mirrors(self, plan, scene, optics, fbo, size, samples):
        """The reflecting surfaces but the ground, in steps, when most of them is hidden; the first one's picture is bound, one texture serves them in turn."""
        for k, mirror in enumerate(plan.mirrors):
            if plan.ground is not None and mirror is plan.ground.mirror:
                continue
            if k:
                yield from self.reflection.run(k, plan, scene, optics, size, samples)
                self.view_block('main').bind()
                fbo.use()
            self.surfaces.mirror(mirror, fbo)

    def read_ids(self, scene, view, size, with_transparent=True):
        """(height, width, 2) float32 bytes, bottom row first: segment number + 1 (0 nothing), depth [m]."""
        texture = self.draw_ids(scene, view, size, '', with_transparent)
        return texture.read() if texture is not None else bytes(8 * size[0] * size[1])

    @ANY_NUMBERS
    def draw_ids(self, scene, view, size, slot, with_transparent=True, through=False):
        """Texture of (number + 1, depth) under a slot of its own (gpu/targets.py), to be read later; None where the view cannot be drawn.
        through: marks that are seen through bodies go before these."""
        if not drawable(view):
            return None
        before, self.targets.slot = self.targets.slot, slot
        optics, plan = finish(self._prepare(scene, view, size))
        texture = self.channels.ids(plan, optics, size, scene, with_transparent, through)
        self.targets.slot = before
        self.ctx.enable_only(moderngl.NOTHING)
        return texture

    @ANY_NUMBERS
    def read_normals(self, scene, view, size):
        """(height, width, 4) float32 bytes, bottom row first: unit normal in world coordinates of the side that is seen, and 1; 0 where there is nothing."""
        if not drawable(view):
            return bytes(16 * size[0] * size[1])
        optics, plan = finish(self._prepare(scene, view, size))
        texture = self.channels.normals(plan, optics, size, scene)
        self.ctx.enable_only(moderngl.NOTHING)
        return texture.read()

    def _leave(self, target):
        """The state a toolkit expects when it draws on."""
        self.shadow.finish()
        target.use()
        self.textures.restore_uploads()
        self.ctx.blend_func = moderngl.DEFAULT_BLENDING
        self.ctx.enable_only(moderngl.NOTHING)

    def release(self):
        """Free every GL object; the context must be current. Nothing can be drawn afterwards; a second call does nothing."""
        if not vars(self):
            return
        for part in (self.shadow, self.sky, self.lines, self.channels, self.outline, self.skins, self.main, self.casters, self.meshes, self.wires, self.textures, self.targets,
                     self.lights, self.programs, *(part for part in (self._physical, self.patch) if part), *self._views.values()):
            part.release()
        vars(self).clear()      # the passes know the renderer: what they hold would wait for the garbage collector
