"""From a Model and a published Snapshot to the renderer's Scene: the only code that knows both sides. Pure functions, no Qt."""
from app.bridge.build import build_scene
from app.bridge.options import VisOptions
from app.bridge.view_state import Selection, ViewState

__all__ = ["Selection", "ViewState", "VisOptions", "build_scene"]
