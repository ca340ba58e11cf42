"""Why an action can do nothing at the moment, in a few words: what the palette shows beside one that is grey."""
from app.actions import Action
from app.search.entries import Parts

NO_MODEL, NO_SELECTION = "no model is open", "nothing is selected"
NEED_MODEL = ("simulation", "film")   # controllers that do nothing without a model
ALSO_NEED_MODEL = ("align", "copy_camera", "free_camera", "previous_camera", "next_camera", "reload", "apply", "select_parent")
NEED_SELECTION = ("select_parent",)


def problem_of(row: Action, parts: Parts) -> str:
    """Why the action does nothing now; '' when it does something. A QAction that is off says why in its property 'reason'."""
    if parts.context.model is None and (row.handler.partition(".")[0] in NEED_MODEL or row.id in ALSO_NEED_MODEL):
        return NO_MODEL
    if row.id in NEED_SELECTION and not parts.context.selection.bodyid:
        return NO_SELECTION
    action = parts.actions.get(row.id)
    if action is None:
        return "not in this window"
    return "" if action.isEnabled() else action.property("reason") or "not possible now"
