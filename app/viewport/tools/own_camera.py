"""A camera edited in its own picture: dragging anywhere turns or moves it, the wheel moves it ahead."""
from __future__ import annotations

import numpy as np

from editor.edits.patch import Edit
from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import edit_of
from editor.tools.gizmo import ROTATE, SCALE, Gizmo
from editor.tools.handles import DOT, Handle
from editor.tools.subject import Moment
from render.scene.camera import View

FORWARD = 0.05      # of the way to what it looks at, by one click of the wheel


def own_handle(gizmo: Gizmo, moment: Moment, view: View, size: tuple[float, float]) -> Handle | None:
    """What is grabbed wherever the picture is; None where the camera cannot be turned, or in the mode that resizes."""
    if gizmo.mode == SCALE or (gizmo.mode == ROTATE and not gizmo.handles(moment, view, size)):
        return None
    return Handle(("look",) if gizmo.mode == ROTATE else ("slide",), DOT, np.array([[_far(gizmo, moment), 0.0, 0.0]]), "view")


def own_forward(gizmo: Gizmo, moment: Moment, clicks: float) -> Edit:
    """Ahead by clicks of the wheel; those in a row are undone together."""
    far = FORWARD * _far(gizmo, moment) * clicks
    motion = Motion("rigid", rigid.shift(-far * moment.base(gizmo.active)[:3, 2]), step=abs(far) / 10 or 1e-3)
    edit = edit_of(f"Move {gizmo.active.label}", gizmo.subjects, motion, moment)
    return Edit(edit.label, edit.patches, ("camera wheel", gizmo.active.element.id))


def _far(gizmo: Gizmo, moment: Moment) -> float:
    """How far away what a camera looks at is [m]: the middle of the model."""
    frame = moment.base(gizmo.active)
    way = np.asarray(moment.m.stat_center) - frame[:3, 3]
    return max(float(-way @ frame[:3, 2]), 0.1 * float(moment.m.stat_extent))
