"""What the command palette offers, in one table: a part of the program adds a row of its own to be found there.

A provider's factory is 'module:function'; it is called with the Parts of the window each time the palette opens, and gives a Source, or a
tuple of them.
"""
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from app.actions import ACTIONS
from app.search.availability import NO_MODEL, problem_of
from app.search.entries import Entry, Parts, Source
from app.settings import SETTINGS
from app.speeds import SPEEDS, STEPS, speed_text, steps_text


SUBMENUS = MappingProxyType({"label_": "Labels: ", "frame_": "Frames: "})    # of actions, by the beginning of their ids


@dataclass(frozen=True, slots=True)
class Provider:
    """A row of the table: factory(parts) -> Source or Sources."""

    id: str
    factory: str

    def sources(self, parts: Parts) -> tuple[Source, ...]:
        """What it offers now."""
        module, _, name = self.factory.partition(":")
        made = getattr(import_module(module), name)(parts)
        return (made,) if isinstance(made, Source) else tuple(made)


PROVIDERS: tuple[Provider, ...] = (
    Provider("actions", "app.search.providers:actions"),
    Provider("panels", "app.search.providers:panels"),
    Provider("cameras", "app.search.providers:cameras"),
    Provider("keyframes", "app.search.providers:keyframes"),
    Provider("bookmarks", "app.search.providers:bookmarks"),
    Provider("speeds", "app.search.providers:speeds"),
    Provider("settings", "app.search.providers:settings"),
    Provider("recent", "app.search.providers:recent_files"),
    Provider("bundled", "app.search.providers:bundled_models"),
    Provider("elements", "app.search.elements:elements"),
)


def sources_of(parts: Parts) -> list[Source]:
    """All that can be found now, in the order of the table."""
    return [source for provider in PROVIDERS for source in provider.sources(parts)]


def few(kind_id: str, kind: str, rows: Iterable[tuple[str, str, Callable, str]], boost: float = 0.0, problem: str = "", listed: bool = False) -> Source:
    """A Source of a handful of things: rows of (rest of the key, title, what to do, note)."""
    made = tuple(rows)
    keys = {row[0]: i for i, row in enumerate(made)}

    def entry(i: int) -> Entry:
        key, title, run, note = made[i]
        return Entry(f"{kind_id}:{key}", title, kind, run, note=note, problem=problem)

    return Source(kind_id, kind, lambda: [row[1] for row in made], entry, lambda key: keys.get(key, -1), boost, listed)


def actions(parts: Parts) -> Source:
    """Every action of the table, the palette's own left out, and speeds, of which there are more."""
    rows = [row for row in ACTIONS if row.id != "palette" and not row.id.startswith(("speed_", "steps_"))]
    numbers = {row.id: i for i, row in enumerate(rows)}

    def entry(i: int) -> Entry:
        row = rows[i]
        action = parts.actions.get(row.id)
        keys = ", ".join(key.toString() for key in action.shortcuts()) if action is not None else ""
        run = action.trigger if action is not None else lambda: None
        checked = action.isChecked() if action is not None and action.isCheckable() else None
        return Entry(f"action:{row.id}", title_of(row), row.menu.replace("&", "") or "Drawing", run, keys, row.tip, problem_of(row, parts), checked)

    return Source("action", "Action", lambda: [title_of(row) for row in rows], entry, lambda key: numbers.get(key, -1), 8.0, listed=True)


def title_of(row) -> str:
    """The action's text, with the name of its submenu where the text says too little by itself."""
    submenu = next((words for start, words in SUBMENUS.items() if row.id.startswith(start)), "")
    return submenu + row.text.replace("&", "")


def panels(parts: Parts) -> Source:
    """Every panel: it is shown on top."""
    docks = parts.window.layout_of_docks
    rows = [(name, f"Panel {dock.windowTitle()}", lambda name=name: docks.show(name), dock.toolTip()) for name, dock in docks.docks.items()]
    return few("panel", "Panel", rows, 6.0, listed=True)


def cameras(parts: Parts) -> Source:
    """The free and the tracking camera and the model's own."""
    names = named(parts, "camera")
    rows = [("free", "Camera free", lambda: parts.view.set_camera(-2), ""), ("tracking", "Camera tracking", lambda: parts.view.set_camera(-1), "Follows the selected body")]
    rows += [(name, f"Camera {name}", lambda i=i: parts.view.set_camera(i), "") for i, name in names]
    return few("camera", "Camera", rows, 5.0, "" if parts.context.model is not None else NO_MODEL)


def keyframes(parts: Parts) -> Source:
    """Keyframes to load."""
    rows = [(name, f"Keyframe {name}", lambda i=i: parts.simulation.load_key(i), "Back to this state") for i, name in named(parts, "key")]
    return few("key", "Keyframe", rows, 5.0)


def bookmarks(parts: Parts) -> Source:
    """Marked moments of the history that can be gone to."""
    snapshot = parts.context.snapshot
    there = parts.context.bookmarks.shown(snapshot) if snapshot is not None else []
    rows = [(f"{mark.branch}.{mark.number}", f"Bookmark {mark.name}", lambda mark=mark: parts.simulation.scrub_to(mark.number), f"Moment {mark.time:.3f} s") for _, mark in there]
    return few("bookmark", "Bookmark", rows, 5.0)


def named(parts: Parts, kind: str) -> Sequence[tuple[int, str]]:
    """(index, name) of the model's elements of a kind; a number as the name of those without."""
    model = parts.context.model
    return [] if model is None else [(i, name or str(i)) for i, name in enumerate(model.names[kind])]


def speeds(parts: Parts) -> Source:
    """Simulated time over real time."""
    rows = [(speed_text(factor), f"Speed {speed_text(factor)}", lambda factor=factor: parts.simulation.set_speed(factor), "") for factor in (*SPEEDS, None)]
    rows += [(steps_text(steps), f"Speed {steps_text(steps)}", lambda steps=steps: parts.simulation.set_steps_per_picture(steps), "") for steps in STEPS]
    return few("speed", "Speed", rows, 0.0)


def settings(parts: Parts) -> Source:
    """Everything that is remembered and can be changed: the dialog opens on it."""
    rows = [(name, f"Setting: {row.title}", lambda name=name: parts.program.show_settings(name), row.doc) for name, row in SETTINGS.items() if row.title]
    return few("setting", "Setting", rows, 4.0)


def recent_files(parts: Parts) -> Source:
    """Models opened lately."""
    rows = [(text, Path(text).name, lambda text=text: parts.files.open(Path(text)), text) for text in parts.settings.get("files/recent")]
    return few("recent", "Recent file", rows, 2.0)


def bundled_models(parts: Parts) -> Source:
    """Models that come with the program."""
    from assets.locate import bundled_models as shipped

    rows = [(path.name, f"{path.stem} (bundled model)", lambda path=path: parts.files.open(path), str(path)) for path in shipped()]
    return few("bundled", "Model", rows)
