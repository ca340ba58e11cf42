"""What the program remembers between launches: a typed table over a file (app/settings_file.py).

The file is an .ini in the user's configuration folder; LINKWORK_SETTINGS names another (tests use one of their own).
"""
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_state_dir
from PyQt6.QtCore import QByteArray, QObject, pyqtSignal

from app.settings_file import SettingsFile


@dataclass(frozen=True, slots=True)
class Setting:
    """One remembered value: its type, its default and what it means.

    title: its name in the settings dialog, '' for what the program remembers by itself. group: where it stands there. choices: the only
    values, with words for them. low, high: the range of a number. kind: 'colour' or 'file' for texts that mean one. applies: from when
    another value holds, '' at once.
    """

    type: type
    default: object
    doc: str
    title: str = ""
    group: str = ""
    choices: tuple[tuple[object, str], ...] = ()
    low: float | None = None
    high: float | None = None
    unit: str = ""
    kind: str = ""
    applies: str = ""

    def valid(self, value):
        """The value, brought into the range; the default in place of one that is no choice."""
        if self.choices and value not in [choice for choice, _words in self.choices]:
            return self.default
        if self.low is not None and self.type in (int, float):
            return self.type(min(max(value, self.low), self.high))
        return value


COLOURS, VIEW, RUNNING, EDITOR, FILMS, PROGRAM = "Appearance", "View", "Simulation", "XML editor", "Pictures and films", "Program"
NEXT_MODEL = "from the next model on that is opened"
NEXT_START = "from the next start of the program on"
QUALITIES = (("auto", "Automatic"), ("lowest", "Lowest"), ("low", "Low"), ("medium", "Medium"), ("high", "High"), ("classic", "As the official picture"))
SETTINGS = MappingProxyType({
    "window/geometry": Setting(QByteArray, QByteArray(), "position and size of the main window"),
    "window/first_steps": Setting(bool, True, "the card of first steps has not been put away yet"),
    "window/workspaces": Setting(str, "", "the open workspace, and what was made of each (app/windows/workspace_memory.py)"),
    "files/recent": Setting(list, [], "models opened lately, newest first"),
    "files/folder": Setting(str, "", "folder of the last open dialog"),
    "palette/recent": Setting(list, [], "what was chosen in the command palette, newest first"),
    "view/theme": Setting(str, "dark", "Colours of the window: dark, light, or as the desktop has them", "Colours", COLOURS,
                          (("dark", "Dark"), ("light", "Light"), ("system", "As the desktop"))),
    "view/accent": Setting(str, "", "Colour of what is selected or checked", "Accent colour", COLOURS, kind="colour"),
    "view/font_scale": Setting(int, 100, "Size of all texts, in the panels, the XML editor and over the picture", "Size of texts", COLOURS, low=50, high=300, unit=" %"),
    "view/density": Setting(str, "normal", "Room around buttons, fields and lines", "Spacing", COLOURS, (("compact", "Compact"), ("normal", "Normal"), ("wide", "Wide"))),
    "view/quality": Setting(str, "auto", "How much is done for a picture: samples, shadows, mirrors. Automatic chooses by the graphics driver", "Quality", VIEW, QUALITIES),
    "view/look": Setting(str, "classic", "Classic is the official picture; physical has light from the environment, gloss by roughness, ambient occlusion", "Look", VIEW,
                         (("classic", "Classic"), ("physical", "Physical"))),
    "view/adaptive": Setting(bool, True, "Where pictures take long, draw less while something moves and everything when it rests", "Adaptive pace", VIEW),
    "view/frame_cap": Setting(int, 0, "Most pictures per second; 0 chooses by the graphics driver", "Most pictures per second", VIEW, low=0, high=1000),
    "view/vsync": Setting(bool, True, "Show a picture when the screen begins anew, so that none is torn. Only where a graphics card draws into the window",
                          "Vertical sync", VIEW, applies=NEXT_START),
    "view/hover": Setting(bool, True, "A note at the pointer says what is drawn there", "Note at the pointer", VIEW),
    "view/cube": Setting(bool, True, "A cube at the top right of the view shows where the camera looks, and turns it", "View cube", VIEW),
    "view/insets": Setting(str, "", "pictures of cameras in the view, by model (app/viewport/inset_memory.py)"),
    "gizmo/orientation": Setting(str, "world", "axes of the Move, Rotate and Scale tools", choices=(("local", "Local axes"), ("parent", "Parent axes"), ("world", "World axes"))),
    "gizmo/snap": Setting(bool, False, "the Move, Rotate, Scale and Create tools snap; Ctrl: the other way"),
    "gizmo/snap_to": Setting(str, "grid", "what these tools snap to", choices=(("grid", "Grid"), ("surface", "Surfaces"), ("vertex", "Vertices and centres"))),
    "pose/limits": Setting(bool, True, "the Pose tool minds ranges of joints"),
    "pose/equality": Setting(bool, True, "the Pose tool minds equality constraints"),
    "pose/contacts": Setting(bool, False, "the Pose tool minds contacts"),
    "pose/posture": Setting(bool, True, "the Pose tool keeps to the pose of before"),
    "pose/root": Setting(str, "last", "how the Pose tool moves what floats", choices=(("last", "Last"), ("fixed", "Not at all"), ("free", "Freely"))),
    "film/folder": Setting(str, "", "folder of the last picture or film"),
    "film/size": Setting(str, "1280x720", "size of films"),
    "picture/size": Setting(str, "", "size of pictures of the view; empty: as the view"),
    "film/fps": Setting(str, "30", "frames per second of films"),
    "film/encoding": Setting(str, "good", "Size and quality of film files", "Encoding of films", FILMS, (("small", "Small"), ("good", "Good"), ("best", "Best"))),
    "film/quality": Setting(str, "", "how pictures and films are drawn, a quality's name; empty: by the graphics driver"),
    "film/labels": Setting(bool, True, "Labels and legend on pictures and films", "Labels on films", FILMS),
    "film/caption": Setting(bool, False, "Time and speed on films", "Caption on films", FILMS),
    "run/start_running": Setting(bool, True, "Start running when a model has been opened", "Start running", RUNNING, applies=NEXT_MODEL),
    "run/advice": Setting(str, "always", "What costs time, does not converge or is saturated is told in the Advice panel, and its number in the status bar", "Advice while it runs", RUNNING,
                          (("always", "Always"), ("panel", "While its panel is seen"), ("off", "Never"))),
    "run/divergence_page": Setting(bool, True, "Open the page that says why when a run diverges", "Divergence page", RUNNING),
    "recording/disk_mb": Setting(int, 2000, "How much of the disk a run may take while its window is open, so that nothing is lost by a crash and more is kept than the memory holds; "
                                 "0: nothing is written", "Run on the disk", RUNNING, low=0, high=1_000_000, unit=" MB"),
    "demonstrations/folder": Setting(str, "", "Folder that recordings of demonstrations go to; empty: the program's own", "Demonstrations", RUNNING),
    "demonstrations/data_sets": Setting(str, "", "Folder that data sets are exported to at first; empty: the model's", "Demonstrations", RUNNING),
    "demonstrations/policy": Setting(str, "", "command line of the policy started last"),
    "demonstrations/policy_rate": Setting(int, 50, "states that a policy is given per simulated second", low=1, high=120),
    "demonstrations/rewind_s": Setting(int, 3, "seconds that taking over goes back", low=1, high=600),
    "run/panels": Setting(str, "", "plots, breakpoints and scripts, by model (app/model_memory.py)"),
    "run/start_keys": Setting(str, "", "keyframes that models start at, by model (app/start_keys.py)"),
    "run/critical_damping": Setting(bool, False, "The spring that pulls a body with the mouse is damped critically: it comes to rest without swinging. "
                                    "Off: half of that, as in the official window", "Critically damped pull", RUNNING),
    "editor/apply_delay_ms": Setting(int, 150, "Pause in typing after which a well-formed text is applied; 0: only with Ctrl+Enter", "Apply after", EDITOR,
                                     low=0, high=10000, unit=" ms"),
    "editor/error_delay_ms": Setting(int, 700, "Pause in typing after which it is told what is wrong with the text", "Tell errors after", EDITOR,
                                     low=0, high=10000, unit=" ms"),
    "editor/font_size": Setting(int, 10, "Size of the XML editor's font, before the size of texts is applied", "Font size", EDITOR, low=5, high=40, unit=" pt"),
    "edit/users": Setting(str, "ask", "What becomes of actuators, sensors and others that name an element which is deleted", "Users of what is deleted", EDITOR,
                          (("ask", "Ask"), ("delete", "Delete them too"), ("leave", "Leave them"))),
    "edit/moved_class": Setting(str, "ask", "What becomes of an element that is put where another default class is in force", "Moved to another class", EDITOR,
                                (("ask", "Ask"), ("name", "Name its class"), ("write", "Write its values"), ("take", "Take the values there"))),
    "scripts/folder": Setting(str, "", "folder of the script opened last"),
    "scripts/editor": Setting(str, "", "Command that opens a script at a line, such as code -g {file}:{line}; empty: the desktop's program for it", "Editor of scripts", PROGRAM),
    "log/file": Setting(str, "", "Every line of the log is also written at the end of this file; empty: nowhere", "Log file", PROGRAM, kind="file"),
})
OLD_DEFAULTS = MappingProxyType({"editor/apply_delay_ms": 700})   # what earlier versions may have stored without being asked to
VERSION_NAME, VERSION = "settings/version", 1   # of the stored file
RECENT_COUNT = 12
KEYS = "keys/"   # + id of an action: the keys bound to it, where they are not the table's


def state_folder() -> Path:
    """Where what must outlive a crash is kept; LINKWORK_STATE names another (tests use one of their own)."""
    return Path(os.environ.get("LINKWORK_STATE") or user_state_dir("linkwork", appauthor=False))


class Settings(QObject):
    """Typed access to SETTINGS. Unknown names raise KeyError; a damaged stored value falls back to the default.

    Signal: changed(name) after `set`, `reset` or `override` gave a setting another value; 'keys/' + id when an action has other keys.
    """

    changed = pyqtSignal(str)

    def __init__(self, file: str | None = None):
        super().__init__()
        self._store = SettingsFile(file or os.environ.get("LINKWORK_SETTINGS"))
        self._overrides: dict[str, object] = {}   # what the command line asks for, in place of what is remembered
        self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        """Forget old defaults in a file that an earlier version wrote."""
        if self._version() >= VERSION:
            return
        for name, old in OLD_DEFAULTS.items():
            if self._store.contains(name) and self.get(name) == old:
                self._store.remove(name)
        self._store.set(VERSION_NAME, VERSION)

    def _version(self) -> int:
        try:
            return int(self._store.value(VERSION_NAME))
        except (KeyError, TypeError, ValueError):
            return 0

    def get(self, name: str):
        """Present value of `name`: what the command line asks for, else what is stored, else the default."""
        setting = SETTINGS[name]
        return self._overrides[name] if name in self._overrides else setting.valid(self._stored(name, setting))

    def _stored(self, name: str, setting: Setting):
        if not self._store.contains(name):
            return list(setting.default) if setting.type is list else setting.default
        value = self._store.value(name)
        try:
            if setting.type is list:
                return [value] if isinstance(value, str) else list(value or [])
            if setting.type is bool:
                return value if isinstance(value, bool) else str(value).lower() == "true"
            return setting.type(value)
        except (TypeError, ValueError):
            return setting.default

    def mapping(self, name: str) -> dict:
        """What a setting holds that is a text of JSON, {} where that is no object or damaged. Raises as `get` does."""
        try:
            found = json.loads(self.get(name) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def set(self, name: str, value) -> None:
        """Remember `value` under `name`."""
        before = self.get(name)
        self._overrides.pop(name, None)
        self._store.set(name, list(value) if isinstance(value, (list, tuple)) else value)
        if self.get(name) != before:
            self.changed.emit(name)

    def reset(self, name: str) -> None:
        """Back to the default."""
        before = self.get(name)
        self._overrides.pop(name, None)
        self._store.remove(name)
        if self.get(name) != before:
            self.changed.emit(name)

    def override(self, name: str, value) -> None:
        """Have another value until the program ends or the user chooses one; it is not remembered."""
        before = self.get(name)
        self._overrides[name] = SETTINGS[name].valid(value)
        if self.get(name) != before:
            self.changed.emit(name)

    def is_default(self, name: str) -> bool:
        """Whether the present value is the default."""
        return self.get(name) == SETTINGS[name].default

    def keys(self, action_id: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Keys bound to an action: what the user chose, else `default`."""
        if not self._store.contains(KEYS + action_id):
            return default
        value = self._store.value(KEYS + action_id)
        return tuple(str(key) for key in ([value] if isinstance(value, str) else value or []) if key)

    def set_keys(self, action_id: str, keys: tuple[str, ...] | None) -> None:
        """Bind other keys to an action; None goes back to the table's."""
        if keys is None:
            self._store.remove(KEYS + action_id)
        else:
            self._store.set(KEYS + action_id, list(keys))
        self.changed.emit(KEYS + action_id)

    def add_recent(self, path: Path) -> None:
        """Put `path` at the head of the recent files."""
        text = str(path)
        self.set("files/recent", [text, *(other for other in self.get("files/recent") if other != text)][:RECENT_COUNT])

    def save(self) -> None:
        """Write to disk now."""
        self._store.save()
