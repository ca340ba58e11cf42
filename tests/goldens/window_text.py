"""Labels and legend as the window paints them on a screen of finer pixels, without a window."""
from __future__ import annotations

import os
from functools import lru_cache

import numpy as np

from assets.locate import font

TEXT = 9.5          # points, as in the window
DOTS = 3780         # a metre: 96 an inch
os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')


@lru_cache(maxsize=1)
def _family():
    """(the application, which must live; the family of our own font, since a system's differs)."""
    from PyQt6.QtGui import QFontDatabase
    from PyQt6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    return application, QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font())))[0]


def with_window_text(picture: np.ndarray, scene, view, ratio: int) -> np.ndarray:
    """A copy of (height, width, 3) uint8 with the scene's labels and legend; ratio: device pixels per logical one."""
    from PyQt6.QtGui import QFont, QImage, QPainter

    from app.viewport.label_painter import LabelPainter
    from app.viewport.legend_area import LegendArea

    height, width = picture.shape[:2]
    _, family = _family()
    rows = np.concatenate([picture[..., ::-1], np.full((height, width, 1), 255, np.uint8)], axis=2).copy()
    image = QImage(rows.data, width, height, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.setDotsPerMeterX(DOTS)
    image.setDotsPerMeterY(DOTS)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    face = QFont(family)
    face.setPointSizeF(TEXT)
    painter.setFont(face)
    legend = LegendArea(painter, width / ratio, height / ratio, scene.legend) if scene.legend else None
    LabelPainter().paint(painter, width / ratio, height / ratio, scene.labels, view, [legend.box] if legend else ())
    if legend:
        legend.paint(painter)
    painter.end()
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return np.frombuffer(bits, np.uint8).reshape(height, width, 4)[..., 2::-1].copy()
