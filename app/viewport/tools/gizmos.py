"""The tools that edit the text, made for a window."""
from __future__ import annotations

from editor.tools.modes import MODES

NAMES = (*MODES, "create")


def connect_gizmos(context, control, viewport, session, document_selection, actions, window) -> None:
    """Have the view's tools make them, and their actions and the status bar show what they do."""
    tools, moved_states = viewport.tools, None

    def status(text: str) -> None:
        window.statusBar().tool.say(text)

    def chosen(mode: str) -> None:
        tools.name = mode
        tools.changed.emit()

    def gizmo(mode: str):
        from app.viewport.tools.gizmo import GizmoTool      # at the start every import counts
        from app.viewport.tools.moved_states import MovedStates

        nonlocal moved_states
        if moved_states is None:    # longer than a tool, as an undo may come after it
            moved_states = MovedStates(context, session, viewport)
        return GizmoTool(mode, context, control, viewport, session, document_selection, status, chosen, moved_states)

    def create():
        from app.viewport.tools.create import CreateTool

        return CreateTool(context, viewport, session, status)

    for mode in MODES:
        tools.make[mode] = lambda mode=mode: gizmo(mode)
    tools.make["create"] = create
    tools.changed.connect(lambda: [actions[name].setChecked(tools.name == name) for name in NAMES])
