"""Small scenes and cameras for picture tests."""
import numpy as np

from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from render.scene.snapshot import Scene, Texture

LENS = Lens(45, 0.01, 50)
FRONT = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=0), LENS)      # from -y towards +y, z up
ABOVE = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-89.999), LENS)


def flat_scene(ambient=1.0):
    """An empty scene whose colours are exactly rgba (ambient light only)."""
    scene = Scene()
    scene.headlight.ambient, scene.headlight.diffuse, scene.headlight.specular = (ambient,) * 3, (0, 0, 0), (0, 0, 0)
    return scene


def one(shape, size, rgba=(1, 0, 0, 1), pos=(0, 0, 0), **columns):
    """A flat scene with one instance."""
    scene = flat_scene()
    scene.geoms.put(shape, pos, size, rgba, **columns)
    return scene


def textured(shape, size, data, kind='2d', repeat=(1, 1), uniform=False, mat=(1, 0, 0, 0, 1, 0, 0, 0, 1)):
    """A flat white instance with a texture."""
    scene = flat_scene()
    scene.assets.textures.append(Texture(kind, np.asarray(data, np.uint8)))
    row = scene.assets.materials.add(1).start
    scene.assets.materials.texid[row], scene.assets.materials.texrepeat[row], scene.assets.materials.texuniform[row] = 0, repeat, uniform
    scene.geoms.put(shape, (0, 0, 0), size, (1, 1, 1, 1), mat, matid=row)
    return scene


def floor(scene, rgba=(1, 1, 1, 1), size=(3, 3, 1), **columns):
    """Add a plane at z = 0."""
    return scene.geoms.put(shapes.PLANE, (0, 0, 0), size, rgba, **columns)
