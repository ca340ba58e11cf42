"""Pictures of icons: as many device pixels as they are to have, drawn to scale in their colour."""
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QColor

from editor.widgets.drawn_icon import RATIOS, drawn_picture


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_picture_is_drawn_to_scale_in_device_pixels(qapp, ratio):
    picture = drawn_picture(lambda painter: painter.drawLine(QPointF(0, 5), QPointF(10, 5)), 20, 10.0, 2.0, "#ff0000", ratio)
    side = round(20 * ratio)
    assert (picture.width(), picture.height(), picture.devicePixelRatio()) == (side, side, ratio)
    image = picture.toImage()
    inked = [y for y in range(side) if image.pixelColor(side // 2, y).alpha() > 128]
    assert inked[0] == pytest.approx(0.4 * side, abs=1) and inked[-1] == pytest.approx(0.6 * side, abs=1), "a line of a fifth of the height, across the middle"
    assert image.pixelColor(side // 2, side // 2) == QColor("#ff0000") and image.pixelColor(0, 0).alpha() == 0
