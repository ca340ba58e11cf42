"""The open document's texts as they are now, to be read and written by panels that tune: whether they can be, and why not."""
from __future__ import annotations

from app.session import Session
from editor.inspect.subject import Reading

NO_TEXT = "This model has no text that could be changed."
NOT_SHOWN = "The model in the window is not that of the open text."
BEHIND = "The text is being compiled; it can be written when it runs."


class PresentText:
    """read() gives a Reading, the same one as long as the texts are the same."""

    def __init__(self, session: Session):
        self._session = session
        self._reading: Reading | None = None

    @property
    def _readable(self) -> bool:
        document = self._session.document
        return not (document.compiled or document.recorded is not None or document.script)

    def read(self) -> Reading | None:
        """Of the present texts, None while they are no XML, or there are none."""
        document = self._session.document
        if not self._readable or not document.last_good.current:
            return None
        version = document.version()
        if self._reading is None or self._reading.version is not version:
            self._reading = Reading(version) if version.root is not None and version.root.tag == "mujoco" else None
        return self._reading

    def why_not(self, reading: Reading | None) -> str:
        """Why nothing can be written into them, '' where it can. reading: what `read` has given."""
        document = self._session.document
        if not self._session.shown:
            return NOT_SHOWN
        if document.sealed:
            return str(document.sealed)
        if reading is None:
            return "The text is not well-formed (the XML panel says where)." if self._readable else NO_TEXT
        return "" if self._session.runs_present_texts else BEHIND

    def forget(self) -> None:
        """Keep nothing."""
        self._reading = None
