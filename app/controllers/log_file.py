"""Writing the log to a file as well, where the user wants that (setting log/file)."""
from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PyQt6.QtCore import QObject

from app.context import AppContext

SETTING = "log/file"


class LogFile(QObject):
    """Appends every message to the file that the setting names; nothing while it is empty. A file that cannot be written is told once."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self._context = context
        self._failed = ""   # the file that could not be written
        context.logged.connect(self.write)

    def write(self, level: str, text: str) -> None:
        """One message, with date and time."""
        name = self._context.settings.get(SETTING)
        if not name or name == self._failed:
            return
        try:
            with Path(name).expanduser().open("a", encoding="utf-8") as file:
                file.write(f"{datetime.now().isoformat(timespec='seconds')} {level:<7} {text}\n")
            self._failed = ""
        except OSError as error:
            self._failed = name
            self._context.log("warning", f"The log cannot be written to {name}: {error.strerror or error}")
