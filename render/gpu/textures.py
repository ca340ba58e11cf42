"""Textures of a scene on the GPU, uploaded when the assets' key changes."""
from types import MappingProxyType

import moderngl
import numpy as np

SRGB8, SRGB8_ALPHA8 = 0x8C41, 0x8C43
# bits of the shader's LAYERS and the roles (as in Materials.layers) they stand for; the layer of a bit has the unit LAYER_UNIT + its place here
NORMAL, OCCLUSION, ROUGHNESS, METALLIC, ALL_IN_ONE, EMISSIVE, OPACITY = 1, 2, 4, 8, 16, 32, 64
LAYER_BITS = ((5, NORMAL), (2, OCCLUSION), (3, ROUGHNESS), (4, METALLIC), (6, OPACITY), (7, EMISSIVE), (9, ALL_IN_ONE))
LAYER_UNITS = MappingProxyType({NORMAL: 9, OCCLUSION: 10, ROUGHNESS: 11, METALLIC: 12, EMISSIVE: 13, OPACITY: 7})
RGBA_ROLE = 8
EVEN = 8            # [1/255] from texel to texel: a sky without larger steps needs no mipmaps, which cost software GL 50 ms and more


def _channels(data, allowed):
    """Image data with a channel count that GL takes: grey becomes RGB, grey with alpha RGBA, alpha goes where only RGB is allowed."""
    data = np.asarray(data)
    data = np.asarray(data, np.float16 if data.dtype.kind == 'f' else np.uint8)
    if data.ndim == 2:
        data = data[..., None]
    n = data.shape[2]
    if n <= 2:
        data = np.concatenate([np.repeat(data[..., :1], 3, 2), data[..., 1:]], 2)
    if data.shape[2] not in allowed:
        data = data[..., :3]
    return np.ascontiguousarray(data)


def _format(data, srgb=False):
    """How moderngl is told the kind of pixels."""
    if data.dtype == np.float16:
        return {'dtype': 'f2'}
    return {'internal_format': SRGB8 if data.shape[2] == 3 else SRGB8_ALPHA8} if srgb else {}


def _layers(materials, i, count):
    """{bit of the shader's LAYERS: texture number} of a material beside its colour."""
    numbers = materials.layers[i]
    found = {bit: int(numbers[role]) for role, bit in LAYER_BITS if 0 <= numbers[role] < count}
    if ALL_IN_ONE in found:
        found[OCCLUSION] = found.pop(ALL_IN_ONE)
        found = {ALL_IN_ONE: -1, **{bit: texid for bit, texid in found.items() if bit not in (ROUGHNESS, METALLIC)}}
    return found


def _fitting(faces, limit):
    """Square or oblong pictures (n, height, width, channels), made coarser until the driver takes them: a pixel is the mean of so many each way."""
    step = -(-max(faces.shape[1:3]) // limit)
    if step <= 1:
        return faces
    for axis in (1, 2):
        starts = np.arange(0, faces.shape[axis], step)
        count = np.diff(starts, append=faces.shape[axis]).reshape([-1 if k == axis else 1 for k in range(4)])
        mean = np.add.reduceat(faces, starts, axis=axis, dtype=np.float32) / count
        faces = (np.rint(mean) if faces.dtype == np.uint8 else mean).astype(faces.dtype)
    return faces


class Textures:
    """GL textures by number; `units` are set by the programs."""

    def __init__(self, ctx, calls, anisotropy: float = 1.0):
        """calls: of the context (gpu.unlocked)."""
        self.ctx, self.calls = ctx, calls
        self.anisotropy = anisotropy
        self.items = []
        self.kinds = []
        self.coded = []         # per texture: whether what is read from it is a display colour, not light
        self.base_color = np.zeros(0, int)     # per material: the number of its colour and layers as one
        self.layers = {}        # such a number: {bit of LAYERS: texture number}
        self._skies = {}        # such a number: what fit_sky knows of it
        self.planar = []        # per mesh of the model: whether it has no texture coordinates
        self.white = ctx.texture((1, 1), 4, b'\xff' * 4)

    def set_assets(self, assets):
        """Replace all textures by those of a SceneAssets."""
        self.clear()
        for texture in assets.textures:
            flat = texture.kind == '2d'
            self.items.append(self._flat(texture) if flat else self._cube(texture))
            self.kinds.append(1 if flat else 2)
            self.coded.append(texture.data.dtype == np.uint8 and not (flat and texture.srgb))
        self._add_base_colors(assets.materials, len(assets.textures))
        self.set_meshes(assets)

    def set_meshes(self, assets):
        """Note which meshes of a SceneAssets have texture coordinates."""
        self.planar = [mesh.texcoord is None for mesh in assets.meshes]

    def _add_base_colors(self, materials, count):
        """Give each material with layers beside its colour a number of its own, after those of the textures."""
        self.base_color = np.array(materials.view('texid'))
        for i in range(materials.n):
            layers = {bit: k for bit, k in _layers(materials, i, count).items() if k < 0 or self.kinds[k] == 1}
            own = self.base_color[i] if self.base_color[i] >= 0 else materials.layers[i, RGBA_ROLE]
            if layers and (not 0 <= own < count or self.kinds[own] == 1):
                known = 0 <= own < count
                self.base_color[i] = len(self.items)
                self.layers[len(self.items)] = layers
                self.items.append(self.items[own] if known else self.white)
                self.kinds.append(1)
                self.coded.append(self.coded[own] if known else False)

    def have_layer(self, texid, bits) -> np.ndarray:
        """Whether each of texture numbers (n,) has one of the layers that `bits` names."""
        which = [number for number, layers in self.layers.items() if bits & sum(layers)]
        return np.isin(texid, which)

    def use_layers(self, texid: int) -> int:
        """Bind the layers beside a colour; the bits of the shader's LAYERS."""
        layers = self.layers.get(texid, {})
        for bit, number in layers.items():
            if number >= 0:
                self.items[number].use(LAYER_UNITS[bit])
        return sum(layers)

    def _flat(self, texture):
        data = _fitting(_channels(texture.data, (3, 4))[None], self.ctx.info['GL_MAX_TEXTURE_SIZE'])[0]
        h, w, n = data.shape
        gl = self.ctx.texture((w, h), n, data, alignment=1, **_format(data, texture.srgb))
        self.calls.build_mipmaps(gl)
        gl.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        gl.repeat_x = gl.repeat_y = True
        if self.anisotropy > 1:
            gl.anisotropy = self.anisotropy
        return gl

    def _cube(self, texture):
        data = _channels(texture.data, (3,))
        h, w, _ = data.shape
        faces = np.concatenate([data] * 6) if h == w else data
        if len(faces) != 6 * w:
            raise ValueError(f'a cube texture needs a square or six squares below each other, not {w} x {h}')
        faces = _fitting(faces.reshape(6, w, w, 3), self.ctx.info['GL_MAX_CUBE_MAP_TEXTURE_SIZE'])
        w = faces.shape[2]
        gl = self.ctx.texture_cube((w, w), 3, np.ascontiguousarray(faces), alignment=1, **_format(data))
        if texture.kind == 'skybox':
            gl.filter = (moderngl.LINEAR, moderngl.LINEAR)
        else:
            self.calls.build_mipmaps(gl)
            gl.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return gl

    def fit_sky(self, index: int, data, pixels: float):
        """Choose how a sky is read where the picture has that many pixels per unit of tangent: with mipmaps once it is drawn smaller than it is.
        data: its pixels."""
        gl = self.items[index]
        known = self._skies.setdefault(index, {'shrunk': False, 'uneven': None})
        shrunk = gl.size[0] > pixels
        if shrunk == known['shrunk']:
            return
        known['shrunk'] = shrunk
        if known['uneven'] is None:
            data = np.asarray(data)[::4]
            step = np.abs(np.diff(data.astype(np.float32), axis=1)).max(initial=0)
            known['uneven'] = bool(step > (EVEN if data.dtype == np.uint8 else EVEN / 255))
            if known['uneven']:
                self.calls.build_mipmaps(gl)
        gl.filter = (moderngl.LINEAR_MIPMAP_LINEAR if shrunk and known['uneven'] else moderngl.LINEAR, moderngl.LINEAR)

    def restore_uploads(self):
        """Put back what Qt counts on when it uploads glyphs and images: GL's row alignment of 4, and unit 0 as the active one."""
        self.white.write(b'\xff' * 4, alignment=4)
        self.white.use(0)

    def kind(self, texid: int) -> int:
        """0 no texture, 1 flat, 2 cube."""
        return self.kinds[texid] if 0 <= texid < len(self.kinds) else 0

    def clear(self):
        """Free the scene's textures."""
        for item in self.items:
            if item is not self.white:
                item.release()
        self.items, self.kinds, self.coded, self.layers = [], [], [], {}
        self._skies = {}

    def release(self):
        """Free everything."""
        self.clear()
        self.white.release()
