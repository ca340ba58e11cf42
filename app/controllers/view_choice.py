"""What is drawn as plain values, to keep it with a workspace: only what is not as at first.

    {"on": ["contact_point"], "off": ["shadow"], "label": "Body", "frame": "None", "groups": {"geom": [0, 1, 2, 3]}}
"""
from app.bridge.options import FRAMES, GROUPS, LABELS, NGROUP, VisOptions

TABLES = ("flags", "render", "quantities", "added")   # of switches, in VisOptions


def choice_of(options: VisOptions) -> dict:
    """The present choice of switches, groups, labels and frames."""
    first = VisOptions()
    tables = tuple((getattr(options, name), getattr(first, name)) for name in TABLES)
    changed = [(name, on) for table, before in tables for name, on in table.items() if on != before[name]]
    groups = {kind: [i for i, on in enumerate(options.group(kind)) if on] for kind in GROUPS if options.group(kind) != first.group(kind)}
    return {"on": [name for name, on in changed if on], "off": [name for name, on in changed if not on], "label": options.label, "frame": options.frame,
            "groups": groups}


def take_choice(options: VisOptions, choice: dict) -> None:
    """Make the choice the present one; names that there are no more are left out."""
    first = VisOptions()
    for table, before in tuple((getattr(options, name), getattr(first, name)) for name in TABLES):
        table.update(before)
        for name in table:
            if name in choice.get("on", ()):
                table[name] = True
            elif name in choice.get("off", ()):
                table[name] = False
    for kind in GROUPS:
        shown = choice.get("groups", {}).get(kind)
        options.group(kind)[:] = first.group(kind) if shown is None else [i in shown for i in range(NGROUP)]
    options.label = choice.get("label") if choice.get("label") in LABELS else LABELS[0]
    options.frame = choice.get("frame") if choice.get("frame") in FRAMES else FRAMES[0]
