"""All that draws, for `drawing()`."""
from app.bridge.assets.textures import unread_textures  # noqa: F401

from .cameras import aimed_view, lens_view, mean_camera, move_camera, put_eyes, view_of_scene, write_camera  # noqa: F401
from .figure import draw as draw_figure  # noqa: F401
from .framebuffer import Buffer, Canvas, put_picture  # noqa: F401
from .text import face_of, label, overlay, rectangle, write  # noqa: F401
from .update import add_geoms, make_lights, update_camera, update_scene, visuals_for  # noqa: F401
from .window import ScriptWindow  # noqa: F401
