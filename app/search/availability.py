"""Why an action can do nothing at the moment, in a few words: what the palette shows beside one that is grey."""
from app.actions import Action
from app.search.entries import Parts

NO_MODEL, NO_SELECTION = "no model is open", "nothing is selected"
NEED_MODEL = ("simulation", "film", "timeline")   # controllers that do nothing without a model
NEED_SELECTION = ("select_parent", "select_children", "track_selected", "hide_selected", "isolate", "copy_name", "copy_path", "copy_pose", "go_to_text")
ALSO_NEED_MODEL = ("align", "copy_camera", "free_camera", "previous_camera", "next_camera", "reload", "apply", "save_recording", "report", *NEED_SELECTION, "frame_selected")


def problem_of(row: Action, parts: Parts) -> str:
    """Why the action does nothing now; '' when it does something. A QAction that is off says why in its property 'reason'."""
    if parts.context.model is None and (row.handler.partition(".")[0] in NEED_MODEL or row.id in ALSO_NEED_MODEL):
        return NO_MODEL
    if row.id in NEED_SELECTION and not parts.context.selection.elements and not (row.id == "isolate" and parts.context.options.isolated):
        return NO_SELECTION     # what is shown alone: once more shows everything
    action = parts.actions.get(row.id)
    if action is None:
        return "not in this window"
    return "" if action.isEnabled() else action.property("reason") or "not possible now"
