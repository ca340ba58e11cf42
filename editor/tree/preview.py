"""What a change would make, before it is made: a picture that can be turned, how many bodies, joints and geoms there are, and what the compiler says against it.

    show_change(version, make) --> thread: make(version), compile, draw --> picture, counts, problems        of several that follow each other the newest
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from editor.edits.version import Version
from editor.structure.draft import Change, Refusal
from editor.structure.trial import Trial, summary, trial
from physics.errors import Issue

__all__ = ["Look", "Preview", "Tried", "problem_text"]

PAUSE_MS = 120          # after the last change of a setting, or of the size
FEW_PROBLEMS = 3        # that are told
TURN = 0.5              # degrees for a pixel
NOTCH = 1.15            # of distance, for a notch of the wheel
LEAST = QSize(24, 12)   # letters and lines that the picture has room for
LARGEST = 1600          # pixels of a side
FAINT = 0.3             # opacity of a picture of other settings
Make = Callable[[Version], Change]


@dataclass(frozen=True, slots=True)
class Look:
    """From where: turned by angles from the free camera of the model [degree], so many times as far as what is shown needs; alone: without the rest of the model."""

    azimuth: float = 0.0
    elevation: float = 15.0
    distance: float = 1.0
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a change. refusal: why it cannot be made, else '' and found is what it makes; known: whether the problems were there before it."""

    refusal: str
    found: Trial | None
    known: bool = False

    @property
    def possible(self) -> bool:
        """Whether it can be made without making things worse."""
        return not self.refusal and self.found is not None and (self.found.model is not None or self.known)


def problem_text(issues: Iterable[Issue]) -> str:
    """Problems as sentences, the first few."""
    lines = list(dict.fromkeys(f"{issue.what[:1].upper()}{issue.what[1:]}" + (f". {issue.hint}" if issue.hint else "") for issue in issues))
    return "\n".join(lines[:FEW_PROBLEMS] + ([f"... and {len(lines) - FEW_PROBLEMS} more"] if len(lines) > FEW_PROBLEMS else []))


class PictureView(QWidget):
    """A picture, faint where it is of other settings (`old`), or a line of text while there is none. Signals: turned(dx, dy) pixels of a drag; stepped(notches) of the wheel."""

    turned, stepped = pyqtSignal(float, float), pyqtSignal(float)

    def __init__(self):
        super().__init__()
        self.image, self.text, self.old = QImage(), "", False
        self._at: QPointF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip("Drag to turn, wheel to come nearer")

    def sizeHint(self) -> QSize:
        return QSize(44 * self.fontMetrics().averageCharWidth(), 18 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST.width() * self.fontMetrics().averageCharWidth(), LEAST.height() * self.fontMetrics().height())

    @property
    def pixels(self) -> tuple[int, int]:
        """Size in device pixels."""
        ratio = self.devicePixelRatioF()
        return tuple(max(16, min(LARGEST, round(ratio * side))) for side in (self.width(), self.height()))

    def show_pixels(self, pixels: np.ndarray | None, text: str = "") -> None:
        """Show (height, width, 3) uint8, or a text."""
        self.text, self.old = text, False
        if pixels is None:
            self.image = QImage()
        else:
            pixels = np.ascontiguousarray(pixels)
            self.image = QImage(pixels.data, pixels.shape[1], pixels.shape[0], 3 * pixels.shape[1], QImage.Format.Format_RGB888).copy()
        self.update()

    def show_old(self) -> None:
        """The picture is not of what is wanted now."""
        self.old = True
        self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.image.isNull():
            painter.fillRect(self.rect(), self.palette().base())
        else:
            size = QSize(self.image.size()).scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            painter.setOpacity(FAINT if self.old else 1.0)
            painter.drawImage(QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2, size.width(), size.height()), self.image)
        painter.setOpacity(1.0)
        if self.text:
            painter.setPen(self.palette().text().color())
            painter.drawText(self.rect().adjusted(8, 8, -8, -8), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.text)
        painter.end()

    def mousePressEvent(self, event) -> None:
        self._at = event.position() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseMoveEvent(self, event) -> None:
        if self._at is not None:
            moved, self._at = event.position() - self._at, event.position()
            self.turned.emit(moved.x(), moved.y())

    def mouseReleaseEvent(self, event) -> None:
        self._at = None

    def wheelEvent(self, event) -> None:
        self.stepped.emit(event.angleDelta().y() / 120)
        event.accept()


class Preview(QWidget):
    """pictures: work(parent) -> an object with begin(work), give_up(), done and failed, of a thread; draw(model, made, look, size) -> pixels; let_go() when no more are wanted.
    compat: as of the session; known: texts of problems that the document has anyway. Signal: tried(Tried) of the newest change.
    """

    tried = pyqtSignal(object)

    def __init__(self, pictures, compat: str = "4.0", known: Iterable[str] = ()):
        super().__init__()
        self._pictures, self._compat, self._known = pictures, compat, frozenset(known)
        self.look, self.result = Look(), None
        self._wanted: tuple[Version, Make] | None = None
        self._shown_of: tuple[Version, Make] | None = None
        self._done_of: tuple[tuple, Tried] | None = None     # read and written by the thread while there is one
        self.picture, self.alone, self.counts, self.problem = PictureView(), QCheckBox("Alone"), QLabel(), QLabel()
        self._over = False
        self._work = pictures.work(self)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._failed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._begin)
        self._lay_out()

    def _lay_out(self) -> None:
        self.alone.setToolTip("Without the rest of the model")
        self.alone.toggled.connect(self._show_alone)
        self.picture.turned.connect(self._turn)
        self.picture.stepped.connect(self._come_nearer)
        for label in (self.counts, self.problem):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = QHBoxLayout()
        line.addWidget(self.counts, 1)
        line.addWidget(self.alone, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.picture, 1)
        layout.addLayout(line)
        layout.addWidget(self.problem)
        self.problem.hide()

    # ------------------------------------------------------------------ what is wanted

    @property
    def busy(self) -> bool:
        """Whether what is shown is not of the newest change."""
        return self._pause.isActive() or self._shown_of is not self._wanted

    def show_change(self, version: Version, make: Make) -> None:
        """Try a change of these texts, in place of any before."""
        self._wanted = version, make
        self._pause.start()

    def end(self) -> None:
        """Nothing is wanted any more."""
        self._over = True
        self._pause.stop()
        self._work.give_up()
        self._pictures.let_go()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._again()

    def _again(self) -> None:
        if self._wanted is not None:
            self._pause.start()

    def _show_alone(self, on: bool) -> None:
        self.look = replace(self.look, alone=on)
        self._begin()

    def _turn(self, dx: float, dy: float) -> None:
        self.look = replace(self.look, azimuth=self.look.azimuth - TURN * dx, elevation=max(-44.0, min(134.0, self.look.elevation - TURN * dy)))
        self._begin()

    def _come_nearer(self, notches: float) -> None:
        self.look = replace(self.look, distance=max(0.1, min(20.0, self.look.distance * NOTCH ** -notches)))
        self._begin()

    def _begin(self) -> None:
        wanted, look, size = self._wanted, self.look, self.picture.pixels
        if wanted is None or self._over:
            return
        if self.picture.image.isNull():
            self.picture.show_pixels(None, "Compiling...")
        self._work.begin(lambda stop: self._try(wanted, look, size, stop))

    # ------------------------------------------------------------------ in the thread

    def _try(self, wanted: tuple[Version, Make], look: Look, size: tuple[int, int], stop: Callable[[], bool]) -> tuple[Any, Tried, np.ndarray | None, str]:
        done = self._done_of
        tried = done[1] if done is not None and done[0] is wanted else self._compiled(*wanted, stop)
        if stop():
            return wanted, tried, None, ""
        self._done_of = wanted, tried
        pixels, why = None, ""
        if tried.found is not None and tried.found.model is not None:
            try:
                pixels = self._pictures.draw(tried.found.model, tried.found.made, look, size)
            except Exception as reason:     # the counts and problems are of use without a picture
                why = f"There is no picture: {reason}"
            if self._over:      # the end came while this one was under way, and may have come before it was begun
                self._pictures.let_go()
        return wanted, tried, pixels, why

    def _compiled(self, version: Version, make: Make, stop: Callable[[], bool]) -> Tried:
        def between() -> None:
            if stop():
                raise TimeoutError("a newer one is wanted")

        own = Version(version.main, version.base_dir, version.texts, version.read, version.ids)     # what it looks up by and by is the thread's own
        try:
            found = trial(own, make(own), self._compat, between)
        except Refusal as reason:
            return Tried(str(reason), None)
        return Tried("", found, found.model is None and all(issue.what in self._known for issue in found.problems))

    # ------------------------------------------------------------------ what is shown

    def _take(self, result: tuple) -> None:
        wanted, tried, pixels, why = result
        if wanted is not self._wanted:
            return
        self._shown_of, self.result = wanted, tried
        text, model = tried.refusal, tried.found.model if tried.found is not None else None
        if tried.found is not None:
            text = problem_text(issue for issue in tried.found.problems if tried.known or issue.what not in self._known)
            if tried.known:
                text = f"The model has errors already, so there is no picture of it:\n{text}"
        self.counts.setText(summary(model, tried.found.made) if model is not None else "")
        self._tell(text)
        if pixels is not None or why:
            self.picture.show_pixels(pixels, why)
        elif self.picture.image.isNull():
            self.picture.show_pixels(None, "")
        else:
            self.picture.show_old()
        self.tried.emit(tried)

    def _failed(self, text: str) -> None:
        self._shown_of = self._wanted
        self._tell(text)
        self.picture.show_pixels(None, "")

    def _tell(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
