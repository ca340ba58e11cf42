"""A Scene straight from the official abstract scene: what our bridge makes of a model is tested elsewhere, here only how it is drawn."""
import mujoco
import numpy as np

from render.scene import shapes
from render.scene.camera import View
from render.scene.snapshot import Scene, SceneAssets, Texture

_KINDS = {0: '2d', 1: 'cube', 2: 'skybox'}
_HALF_ARROWS = (shapes.ARROW, shapes.ARROW1)     # the official picture of these is half as long as their size says


def assets_of(m):
    """Materials and textures of a model."""
    assets = SceneAssets()
    rows = assets.materials.add(m.nmat)
    for name in ('emission', 'specular', 'shininess', 'reflectance', 'texrepeat', 'texuniform'):
        getattr(assets.materials, name)[rows] = getattr(m, f'mat_{name}')
    assets.materials.texid[rows] = m.mat_texid[:, int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] if m.nmat else -1
    for i in range(m.ntex):
        h, w, n = int(m.tex_height[i]), int(m.tex_width[i]), int(m.tex_nchannel[i])
        data = m.tex_data[m.tex_adr[i]:m.tex_adr[i] + h * w * n].reshape(h, w, n)
        kind = _KINDS[int(m.tex_type[i])]
        assets.textures.append(Texture(kind, data.copy(), bool(m.tex_colorspace[i] == 2)))
        if kind == 'skybox' and assets.skybox < 0:
            assets.skybox = i
    return assets


def look_of(m, look):
    """Fill a Look."""
    look.extent, look.center = m.stat.extent, tuple(m.stat.center)
    look.fog_rgba, look.haze_rgba = tuple(m.vis.rgba.fog), tuple(m.vis.rgba.haze)
    for name in ('fogstart', 'fogend', 'haze', 'shadowclip', 'shadowscale'):
        setattr(look, name, getattr(m.vis.map, name))
    for name in ('shadowsize', 'offsamples', 'numslices', 'numstacks', 'numquads'):
        setattr(look, name, getattr(m.vis.quality, name))
    look.linewidth = m.vis.global_.linewidth


def scene_of(m, d, cam=None, opt=None, flags=None, assets=None):
    """(Scene, View) of the official scene of a model."""
    official = mujoco.MjvScene(m, 5000)
    if cam is None:
        cam = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(m, cam)
    mujoco.mjv_updateScene(m, d, opt or mujoco.MjvOption(), None, cam, mujoco.mjtCatBit.mjCAT_ALL, official)
    scene = Scene(assets=assets or assets_of(m))
    look_of(m, scene.look)
    for i in range(official.ngeom):
        g = official.geoms[i]
        size = np.array(g.size)
        if g.type in _HALF_ARROWS:
            size[2] /= 2
        pos = np.array(g.pos)
        if g.type == shapes.ARROW2:
            pos = pos - 0.5 * size[2] * np.array(g.mat)[:, 2]
        flags_ = shapes.DECOR if g.category == mujoco.mjtCatBit.mjCAT_DECOR else shapes.MODEL_GEOM
        matid = g.matid
        emission = scene.assets.materials.emission[matid] if matid >= 0 else 0
        scene.geoms.put(g.type, pos, size, g.rgba, np.array(g.mat), matid=matid, glow=g.emission - emission, flags=flags_, segid=g.segid,
                        objid=g.objid, objtype=g.objtype, bodyid=m.geom_bodyid[g.objid] if g.objtype == shapes.OBJ_GEOM else -1)
    _lights(official, scene)
    for k, name in enumerate(('shadow', 'wireframe', 'reflection', 'additive', 'skybox', 'fog', 'haze', 'depth', 'segment', 'idcolor', 'cull_face')):
        setattr(scene.flags, name, bool({int(a): b for a, b in (flags or {}).items()}.get(k, official.flags[k])))
    return scene, view_of(official)


def _lights(official, scene):
    scene.headlight.active = False
    for i in range(official.nlight):
        light = official.lights[i]
        if light.headlight:
            scene.headlight.active = True
            scene.headlight.ambient, scene.headlight.diffuse, scene.headlight.specular = map(tuple, (light.ambient, light.diffuse, light.specular))
            continue
        k = scene.lights.add(1).start
        for name in ('type', 'castshadow', 'pos', 'dir', 'attenuation', 'cutoff', 'exponent', 'ambient', 'diffuse', 'specular'):
            getattr(scene.lights, name)[k] = getattr(light, name)


def view_of(official):
    """View of the mean of the official stereo cameras."""
    a, b = official.camera[0], official.camera[1]
    mean = lambda n: tuple((np.array(getattr(a, n)) + np.array(getattr(b, n))) / 2)  # noqa: E731
    return View(mean('pos'), mean('forward'), mean('up'), a.frustum_top, a.frustum_bottom, a.frustum_near, a.frustum_far, a.frustum_center,
                a.frustum_width, bool(a.orthographic))
