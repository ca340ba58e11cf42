"""The scene's labels in the window: each text drawn once with a dark rim into an image of its own, then only copied."""
import math
import time
from collections import OrderedDict

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from render.scene.camera import View
from render.scene.label_layout import LabelLayout, LabelPlace

RIM = QColor(16, 20, 28, 235)
RIM_WIDTH = 2.6      # logical pixels around a letter
LEADER = QColor(235, 240, 245, 190)
KEPT = 100           # images, beside those of the last picture


class LabelPainter:
    """Places and paints labels; keeps their places and their images from frame to frame.

    seconds: that new images may take in one picture. Of many that are new the others come with the next ones: a new label appears then, one whose text has
    changed shows the text before. unfinished: whether any of the last picture does.
    """

    def __init__(self, seconds: float = math.inf):
        self.layout = LabelLayout()
        self.places: list[LabelPlace] = []   # of the last picture, far ones first
        self.unfinished = False
        self._seconds = seconds
        self._images: OrderedDict[tuple, QImage] = OrderedDict()
        self._shown: dict[object, tuple] = {}   # key of a label: that of the image that it was shown by
        self._made: dict[object, int] = {}      # key of a label: the number of the picture in which it had a new image last
        self._pictures = 0

    def paint(self, painter: QPainter, width: float, height: float, labels, view: View, blocked=()) -> None:
        """Paint the labels in the painter's font; blocked: areas that stay free of them, as in LabelLayout.arrange."""
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        self.places = places = self.layout.arrange(labels, view, (width, height), lambda text: (metrics.horizontalAdvance(text), line), blocked)
        self._make(painter, metrics)
        if not places:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in places:
            if place.leader is not None:
                self._leader(painter, place)
        for place in places:
            image = self._images.get(self._shown.get(place.key))
            if image is not None:
                w, h = image.width() / image.devicePixelRatio(), image.height() / image.devicePixelRatio()
                painter.drawImage(QPointF(round(place.x - w / 2), round(place.y - h / 2)), image)
        while len(self._images) > KEPT + len(places):
            self._images.popitem(last=False)

    def at(self, x: float, y: float) -> LabelPlace | None:
        """The label at a point of the last picture [logical pixels]."""
        return next((place for place in reversed(self.places) if place.holds(x, y)), None)

    @staticmethod
    def _leader(painter: QPainter, place: LabelPlace) -> None:
        x, y, to_x, to_y = place.leader
        for pen in (QPen(RIM, 2.6), QPen(LEADER, 1.2)):
            painter.setPen(pen)
            painter.drawLine(QPointF(x, y), QPointF(to_x, to_y))

    def _make(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        """New images for as long as there is time, at least one: labels that have waited longest first, near ones of these."""
        self._pictures += 1
        ratio, font = painter.device().devicePixelRatioF(), painter.font()
        face = font.key()
        wanted = {place.key: (place.text, tuple(place.rgba), ratio, face) for place in reversed(self.places)}
        due = sorted((key for key, image in wanted.items() if image not in self._images), key=lambda key: self._made.get(key, 0))
        end = time.perf_counter() + self._seconds
        for number, key in enumerate(due):
            if number and time.perf_counter() > end:
                break
            text, rgba, *_ = wanted[key]
            self._images[wanted[key]] = outlined(text, font, metrics, rgba, ratio)
            self._made[key] = self._pictures
        self.unfinished = any(image not in self._images for image in wanted.values())
        self._shown = {key: image if image in self._images else self._shown.get(key) for key, image in wanted.items()}
        self._made = {key: self._made.get(key, 0) for key in wanted}
        for image in self._shown.values():
            if image in self._images:
                self._images.move_to_end(image)


def outlined(text: str, font: QFont, metrics: QFontMetricsF, rgba, ratio: float) -> QImage:
    """An image of the text with a dark rim on nothing; ratio: device pixels per logical pixel."""
    room = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * RIM_WIDTH, metrics.height() + 2 * RIM_WIDTH)
    image = QImage(max(1, round(room.width() * ratio)), max(1, round(room.height() * ratio)), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    letters = QPainterPath()
    letters.addText(QPointF(RIM_WIDTH, RIM_WIDTH + metrics.ascent()), font, text)
    pen = QPainter(image)
    pen.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen.strokePath(letters, QPen(RIM, RIM_WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    pen.fillPath(letters, QColor.fromRgbF(*(float(min(1.0, max(0.0, c))) for c in rgba)))
    pen.end()
    return image.copy()     # without what Qt keeps for painting on an image: ten times the pixels
