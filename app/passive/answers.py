"""What a script may ask its window about."""
from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QObject, QTimer
from PyQt6.QtGui import QImage

from app.passive.link import ScriptLink
from app.wire import Application

AGAIN_MS = 30    # until it is looked again whether there is an answer


class Answers(QObject):
    """Answers questions, each as soon as there is an answer: 'picture', what is seen, (height, width, 3) uint8; 'snapshot', figures of the newest state."""

    def __init__(self, application: Application, link: ScriptLink):
        super().__init__(application)
        self._application, self._link = application, link
        self._asked: list[tuple[int, str]] = []
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._look)

    def ask(self, number: int, about: str) -> None:
        """A question with this number."""
        self._asked.append((number, about))
        self._look()

    def _look(self) -> None:
        asked, self._asked = self._asked, []
        for number, about in asked:
            answer = self._picture() if about == "picture" else self._snapshot()
            if answer is None:
                self._asked.append((number, about))
            else:
                self._link.tell("answer", number, answer)
        if self._asked:
            self._again.start()

    def _picture(self) -> np.ndarray | None:
        image = self._application.viewport.image()
        return None if image.isNull() else array_of(image)

    def _snapshot(self) -> dict | None:
        context = self._application.context
        snapshot = context.snapshot
        if snapshot is None:
            return None
        return {"time": snapshot.time, "qpos": snapshot.qpos.copy(), "ncon": snapshot.ncon, "running": snapshot.running, "states": snapshot.history_length, "title": self._application.window.windowTitle(),
                "log": list(context.log_lines)}


def array_of(image: QImage) -> np.ndarray:
    """(height, width, 3) uint8 of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    rows = np.frombuffer(bits, np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, :3 * image.width()].reshape(image.height(), image.width(), 3).copy()
