"""Labels and rows of the bars."""
import pytest
from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QHBoxLayout, QWidget

from app.windows.ranked_row import ElidedLabel
from assets.locate import bundled_model


class LayoutRequests(QObject):
    """How often something that has changed asked a widget to lay itself out. number: so far."""

    def __init__(self, widget: QWidget):
        super().__init__()
        self.number = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event) -> bool:
        self.number += event.type() == QEvent.Type.LayoutRequest
        return False


def test_a_text_of_the_same_width_lays_nothing_out_anew(qtbot):
    holder, label = QWidget(), ElidedLabel("12.345 s")
    qtbot.addWidget(holder)
    QHBoxLayout(holder).addWidget(label)
    holder.show()
    qtbot.waitExposed(holder)
    QApplication.processEvents()
    requests, before = LayoutRequests(holder), holder.grab().toImage()
    label.setText("54.321 s")
    QApplication.processEvents()
    assert requests.number == 0 and holder.grab().toImage() != before and label.text() == label.accessibleName() == "54.321 s"
    label.setText("154.321 s")
    QApplication.processEvents()
    assert requests.number > 0


def test_time_and_speed_lay_the_window_out_only_when_they_get_wider(workbench):
    bench = workbench(bundled_model("humanoid.xml"))
    bench.wait(lambda: bench.snapshot is not None and not bench.snapshot.running)
    bench.settled()
    requests = LayoutRequests(bench.window)
    before = bench.steady(lambda: requests.number, 0.5)     # what the start has left to do
    for k in range(1, 21):
        bench.actions["step"].trigger()
        bench.wait(lambda k=k: bench.snapshot.history_index == k)
        QTest.qWait(15)
    assert bench.snapshot.time > 0 and requests.number - before <= 2, requests.number - before     # 0.100 s is as wide as 0.005 s
    bar = bench.window.statusBar()
    bench.wait(lambda: bar.time.text() == f"{bench.snapshot.time:.3f} s")


def test_another_letter_in_a_changed_text_lays_nothing_out_anew(workbench):
    bench = workbench(bundled_model("humanoid.xml"))
    bench.settings.set("editor/apply_delay_ms", 0)
    bench.panel("source")
    editor = bench.source.editor()
    bench.wait(editor.isVisible)
    QTest.keyClick(editor, " ")
    bench.settled()
    requests = LayoutRequests(bench.docks.docks["source"])
    before = bench.steady(lambda: requests.number, 0.5)
    for _ in range(5):
        QTest.keyClick(editor, " ")
        QApplication.processEvents()
    QTest.qWait(50)
    assert editor.text().startswith(" " * 6) and requests.number == before


@pytest.mark.parametrize("size", [7.0, 9.0, 9.75, 10.5, 11.25, 13.0])
def test_a_text_that_has_the_room_it_asks_for_is_not_cut(qtbot, size):
    for text in ("scene.xml", "0.000 s", "paused", "2 fps", "100 % (real 42 %)", "\u25cf 3 changed"):
        label = ElidedLabel(text)
        qtbot.addWidget(label)
        font = label.font()
        font.setPointSizeF(size)
        label.setFont(font)
        label.setContentsMargins(5, 0, 5, 0)
        label.resize(label.sizeHint())
        assert label.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, label.contentsRect().width()) == text, text
