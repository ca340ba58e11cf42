"""What the program remembers between launches: a typed table over QSettings.

The file is an .ini in the user's configuration folder; LINKWORK_SETTINGS names another (tests use one of their own).
"""
import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_state_dir
from PyQt6.QtCore import QByteArray, QSettings


@dataclass(frozen=True, slots=True)
class Setting:
    """One remembered value: its type, its default and what it means."""

    type: type
    default: object
    doc: str


SETTINGS = MappingProxyType({
    "window/geometry": Setting(QByteArray, QByteArray(), "position and size of the main window"),
    "window/docks": Setting(QByteArray, QByteArray(), "arrangement of the panels"),
    "window/layout_version": Setting(int, 0, "version of the set of panels the arrangement belongs to"),
    "files/recent": Setting(list, [], "models opened lately, newest first"),
    "files/folder": Setting(str, "", "folder of the last open dialog"),
    "view/theme": Setting(str, "dark", "dark or light"),
    "view/quality": Setting(str, "auto", "auto, low, medium or high"),
    "view/hover": Setting(bool, True, "a note at the pointer says what is drawn there"),
    "view/look": Setting(str, "classic", "classic or physical"),
    "view/frame_cap": Setting(int, 0, "most frames per second; 0 chooses by the graphics driver"),
    "view/insets": Setting(str, "", "pictures of cameras in the view, by model (app/viewport/inset_memory.py)"),
    "film/folder": Setting(str, "", "folder of the last picture or film"),
    "film/size": Setting(str, "1280x720", "size of films"),
    "picture/size": Setting(str, "", "size of pictures of the view; empty: as the view"),
    "film/fps": Setting(str, "30", "frames per second of films"),
    "film/encoding": Setting(str, "good", "small, good or best"),
    "film/quality": Setting(str, "", "how pictures and films are drawn, a quality's name; empty: by the graphics driver"),
    "film/labels": Setting(bool, True, "labels and legend on pictures and films"),
    "film/caption": Setting(bool, False, "time and speed on films"),
    "run/start_running": Setting(bool, True, "start running when a model has been opened"),
    "run/start_keys": Setting(str, "", "keyframes that models start at, by model (app/start_keys.py)"),
    "editor/apply_delay_ms": Setting(int, 150, "pause in typing after which a well-formed text is applied; 0: only Ctrl+Enter"),
    "editor/error_delay_ms": Setting(int, 700, "pause in typing after which it is told what is wrong with the text"),
    "editor/font_size": Setting(int, 10, "size of the XML editor's font"),
})
OLD_DEFAULTS = MappingProxyType({"editor/apply_delay_ms": 700})   # what earlier versions may have stored without being asked to
VERSION_NAME, VERSION = "settings/version", 1   # of the stored file
RECENT_COUNT = 12
KEYS = "keys/"   # + id of an action: the keys bound to it, where they are not the table's


def state_folder() -> Path:
    """Where what must outlive a crash is kept; LINKWORK_STATE names another (tests use one of their own)."""
    return Path(os.environ.get("LINKWORK_STATE") or user_state_dir("linkwork", appauthor=False))


class Settings:
    """Typed access to SETTINGS. Unknown names raise KeyError; a damaged stored value falls back to the default."""

    def __init__(self, file: str | None = None):
        file = file or os.environ.get("LINKWORK_SETTINGS")
        if file:
            self._store = QSettings(file, QSettings.Format.IniFormat)
        else:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "linkwork", "linkwork")
        self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        """Forget old defaults in a file that an earlier version wrote."""
        if self._store.value(VERSION_NAME, 0, int) >= VERSION:
            return
        for name, old in OLD_DEFAULTS.items():
            if self._store.contains(name) and self.get(name) == old:
                self._store.remove(name)
        self._store.setValue(VERSION_NAME, VERSION)

    def get(self, name: str):
        """Stored value of `name`, or its default."""
        setting = SETTINGS[name]
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

    def set(self, name: str, value) -> None:
        """Remember `value` under `name`."""
        SETTINGS[name]
        self._store.setValue(name, value)

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
            self._store.setValue(KEYS + action_id, list(keys))

    def add_recent(self, path: Path) -> None:
        """Put `path` at the head of the recent files."""
        text = str(path)
        self.set("files/recent", [text, *(other for other in self.get("files/recent") if other != text)][:RECENT_COUNT])

    def save(self) -> None:
        """Write to disk now."""
        self._store.sync()
