"""The tools that edit the text, made for a window."""
from __future__ import annotations

from app.viewport.tools.create import CreateTool
from app.viewport.tools.gizmo import GizmoTool
from editor.tools.gizmo import MODES

NAMES = (*MODES, "create")


def connect_gizmos(context, control, viewport, session, document_selection, actions, window) -> None:
    """Have the view's tools make them, and their actions and the status bar show what they do."""
    tools = viewport.tools

    def status(text: str) -> None:
        window.statusBar().tool.say(text)

    def chosen(mode: str) -> None:
        tools.name = mode
        tools.changed.emit()

    for mode in MODES:
        tools.make[mode] = lambda mode=mode: GizmoTool(mode, context, control, viewport, session, document_selection, status, chosen)
    tools.make["create"] = lambda: CreateTool(context, viewport, session, status)
    tools.changed.connect(lambda: [actions[name].setChecked(tools.name == name) for name in NAMES])
