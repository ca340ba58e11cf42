"""Two fingers on a touchpad move the camera."""
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QNativeGestureEvent, QPointingDevice
from PyQt6.QtWidgets import QApplication

MODEL = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
Kind = Qt.NativeGestureType


def gesture(bench, kind, value: float) -> None:
    """As a touchpad's driver tells it."""
    host = bench.host
    at = QPointF(host.rect().center())
    event = QNativeGestureEvent(kind, QPointingDevice.primaryPointingDevice(), 2, at, at, QPointF(host.mapToGlobal(at)), value, QPointF())
    QApplication.sendEvent(host, event)


def test_pinching_zooms_and_turning_orbits(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    bench = workbench(tmp_path / "m.xml")
    control = bench.application.view_control
    before = control.camera
    gesture(bench, Kind.ZoomNativeGesture, 0.2)
    assert control.camera.distance < before.distance and control.camera.azimuth == before.azimuth
    gesture(bench, Kind.ZoomNativeGesture, -0.4)
    assert control.camera.distance > before.distance
    zoomed = control.camera
    gesture(bench, Kind.RotateNativeGesture, 15.0)
    assert abs(control.camera.azimuth - zoomed.azimuth) == 15.0 and control.camera.distance == zoomed.distance
    turned = control.camera
    gesture(bench, Kind.BeginNativeGesture, 0.0)
    assert control.camera == turned
