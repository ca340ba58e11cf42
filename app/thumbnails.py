"""Small pictures of models that were open, kept in the user's cache folder: what the choice of models shows.

A picture is taken from the view when a model has been seen for a few seconds; it is made small and written in a thread of its own. Nothing here
raises: without a cache folder there are no pictures.
"""
import contextlib
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QBuffer, QIODevice, QObject, QRect, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage

from app.context import AppContext
from physics.files.atomic_write import write_file
from physics.kernels.cache import cache_dir

SIZE = QSize(320, 200)      # device pixels
SEEN_MS = 3000              # before a picture is taken
MOST = 400                  # that are kept, the newest


def folder() -> Path | None:
    """Where the pictures lie; None where there is no place for them."""
    try:
        made = Path(cache_dir()) / "thumbnails"
        made.mkdir(exist_ok=True)
    except OSError:
        return None
    return made


def place_of(path: Path) -> Path | None:
    """The file with the picture of a model, whether it is there or not."""
    there = folder()
    return None if there is None else there / f"{hashlib.sha256(os.path.abspath(path).encode()).hexdigest()[:32]}.png"


def picture_of(path: Path) -> QImage | None:
    """The picture of a model; None where there is none."""
    place = place_of(path)
    image = QImage(str(place)) if place is not None and place.is_file() else QImage()
    return None if image.isNull() else image


def reduced(image: QImage, size: QSize = SIZE) -> QImage:
    """The middle of a picture in the size of the small ones [device pixels]."""
    scaled = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation)
    corner = QRect((scaled.width() - size.width()) // 2, (scaled.height() - size.height()) // 2, size.width(), size.height())
    small = scaled.copy(corner).convertToFormat(QImage.Format.Format_RGB888)
    small.setDevicePixelRatio(1.0)
    return small


def png_of(image: QImage) -> bytes:
    """A picture as the bytes of a PNG file; none where that fails."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return bytes(buffer.data()) if image.save(buffer, "PNG") else b""


def keep(path: Path, image: QImage) -> bool:
    """Keep a picture of the model, small; whether it is on disk. May be called from any thread."""
    place = place_of(path)
    if place is None or image.isNull():
        return False
    png = png_of(reduced(image))
    if not png:
        return False
    try:
        write_file(place, png, wait=False)
        _forget_oldest(place.parent)
    except OSError:
        return False
    return True


def _forget_oldest(there: Path) -> None:
    pictures = sorted(there.glob("*.png"), key=lambda place: -place.stat().st_mtime)
    for place in pictures[MOST:]:
        with contextlib.suppress(OSError):
            place.unlink()


class ThumbnailTaker(QObject):
    """Watches one window. path(): the file of its model; picture(): what is seen, a null image where nothing is. Signal: taken(path) in the GUI thread."""

    taken = pyqtSignal(object)

    def __init__(self, context: AppContext, path: Callable[[], Path | None], picture: Callable[[], QImage], parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._path, self._picture = context, path, picture
        self._taken_of: Path | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SEEN_MS)
        self._timer.timeout.connect(self.take)
        context.model_changed.connect(lambda _model: self._wait())

    def _wait(self) -> None:
        if self._path() != self._taken_of:      # once for each model that is opened, not for its edits
            self._timer.start()

    def stop(self) -> None:
        """Take no more pictures."""
        self._timer.stop()

    def take(self) -> None:
        """Take the picture now."""
        path = self._path()
        if path is None or self._context.snapshot is None:
            return
        image = self._picture()
        if not image.isNull():
            self._taken_of = path
            threading.Thread(target=self._keep, args=(path, image), name="thumbnail", daemon=True).start()

    def _keep(self, path: Path, image: QImage) -> None:
        if keep(path, image):
            with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
                self.taken.emit(path)
