"""Pictures and camera readings of a model as NumPy arrays, for programs. No Qt, no window.

    with Pictures(m, 640, 480) as pictures:
        pictures.look(d, "side")
        rgb, depth = pictures.rgb(), pictures.depth()

All arrays have the top row first. Coordinates of a camera: x right, y down, z ahead.
"""
from __future__ import annotations

import numpy as np

from app.bridge.build import build_scene
from app.bridge.markers import Markers
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view import default_camera, free_camera, view_of
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import camera as cameras
from render.scene.camera import FIXED, CameraState, View
from render.scene.snapshot import Scene

MEANING = (
    ("rgb", "colour, 0..255"), ("depth", "distance along the view's axis to the nearest surface, transparent ones too [m], inf where there is nothing"),
    ("segmentation", "id and type (mjtObj) of what is seen, -1 -1 for nothing; types from 101 on are Linkwork's: contacts, perturbation"),
    ("normal", "unit normal of the nearest surface, transparent ones too in world coordinates, on the side that is seen; 0 0 0 for nothing"),
    ("intrinsics", "(3, 3) K of a perspective camera: K (x, y, z) = z (pixel x, pixel y, 1), origin at the top left, pixel centres at .5; 0 if orthographic"),
    ("pose", "(4, 4) from the camera's coordinates (x right, y down, z ahead) to the world's [m]"),
)


def camera_named(m, name: str | int | None) -> CameraState:
    """The camera of that name or number; 'free' is the free one, None what the model opens with. Raises KeyError with what there is."""
    if name is None:
        return default_camera(m)
    if name == "free":
        return free_camera(m)
    index = m.id("camera", name) if isinstance(name, str) else int(name)
    if index < 0 and str(name).isdigit():
        index = int(name)
    if not 0 <= index < m.ncam:
        known = ", ".join(n or str(i) for i, n in enumerate(m.names["camera"])) or "none"
        raise KeyError(f"there is no camera '{name}'; the model's cameras: {known}")
    return CameraState(FIXED, fixedcamid=index)


def resolution_of(m, camera: CameraState) -> tuple[int, int] | None:
    """(width, height) that the model gives its camera [pixel]; None where it gives none."""
    if camera.kind != FIXED:
        return None
    width, height = (int(n) for n in m.cam_resolution[camera.fixedcamid])
    return (width, height) if width > 1 and height > 1 else None


class Pictures:
    """An off-screen camera on one Model. Raises RuntimeError where OpenGL is missing, ValueError for an impossible size.

    options: what is drawn (VisOptions); its `show` does not touch the arrays. markers: drawn into colour pictures beside the model (app.bridge.markers).
    quality: a name of render.quality.QUALITIES.
    """

    def __init__(self, m, width: int = 640, height: int = 480, options: VisOptions | None = None, quality: str = "high"):
        self.model, self._visuals = m, ModelVisuals(m)
        self.options, self.markers = options or VisOptions(), Markers()
        self.scene, self.view = Scene(), View((0, 0, 0), (0, 1, 0), (0, 0, 1), 1, -1, 1, 2)
        self._snapshot = None
        self._offscreen = Offscreen(width, height, QUALITIES[quality])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixel]."""
        return self._offscreen.size

    def resize(self, width: int, height: int) -> None:
        """Pictures of another size [pixel] from now on. Raises ValueError for an impossible one."""
        self._offscreen.resize(width, height)

    def look(self, d, camera: str | int | CameraState | None = None) -> None:
        """Take the state of a Data or Snapshot as it is (nothing is computed), through a camera by name, number or state. Raises KeyError, FieldError."""
        self.model.check_written()
        snapshot = d
        if not isinstance(d, Snapshot):
            if self._snapshot is None:
                self._snapshot = Snapshot(self.model, d, 1)
            snapshot = self._snapshot
            snapshot.copy_from(d)
        state = camera if isinstance(camera, CameraState) else camera_named(self.model, camera)
        build_scene(self._visuals, snapshot, self.options, self.scene, ViewState(markers=self.markers.now()))
        self.view = view_of(self.model, snapshot, state)

    def rgb(self) -> np.ndarray:
        """(height, width, 3) uint8; what `options.show` asks for."""
        return self._offscreen.rgb(self.scene, self.view)

    def depth(self) -> np.ndarray:
        """(height, width) float32 [m]: distance along the view's axis to the nearest surface, transparent ones too, inf where there is nothing."""
        return self._offscreen.depth(self.scene, self.view)

    def segmentation(self) -> np.ndarray:
        """(height, width, 2) int32: id and type (mjtObj) of what is seen, (-1, -1) where there is nothing."""
        return self._offscreen.segmentation(self.scene, self.view)

    def normals(self) -> np.ndarray:
        """(height, width, 3) float32: unit normals of the nearest surface, transparent ones too in world coordinates, on the side that is seen; 0 where there is nothing."""
        return self._offscreen.normals(self.scene, self.view)

    def intrinsics(self) -> np.ndarray:
        """(3, 3) K of a perspective view (camera.pixel_matrix). Raises ValueError for an orthographic one."""
        return cameras.pixel_matrix(self.view, self.size)

    def pose(self) -> np.ndarray:
        """(4, 4) from the camera's coordinates to the world's [m]."""
        return cameras.pose_matrix(self.view)

    def everything(self) -> dict[str, np.ndarray]:
        """All arrays by the names of MEANING."""
        flat = np.zeros((3, 3)) if self.view.orthographic else self.intrinsics()
        return {"rgb": self.rgb(), "depth": self.depth(), "segmentation": self.segmentation(), "normal": self.normals(), "intrinsics": flat, "pose": self.pose()}

    def close(self) -> None:
        """Free everything; calling it again does nothing."""
        self._offscreen.close()

    def __enter__(self) -> Pictures:
        return self

    def __exit__(self, *_) -> None:
        self.close()
