"""The program's window as benchmarks open it: in this process, 1400x900, with settings of its own, turned by the program's own event loop."""
from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SIZE = (1400, 900)
PATIENCE = 300.0        # s until the first picture of a model
LOOK_MS = 20            # between two looks at what is waited for


class RealWindow:
    """A window without a model. app: the QApplication; application: all that lives as long as the window (app.wire)."""

    def __init__(self):
        from PyQt6.QtCore import Qt
        from PyQt6.QtGui import QSurfaceFormat
        from PyQt6.QtWidgets import QApplication

        import physics
        from app import wire
        from app.program import prepare_process
        from app.settings import Settings
        from app.viewport.hosts import surface_format
        from physics.runtime.runner import Runner

        prepare_process()
        physics.compile_kernels()
        QSurfaceFormat.setDefaultFormat(surface_format())
        QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
        self.app = QApplication([])
        runner = Runner()
        runner.start()
        self.application = wire.Application(Settings(str(Path(tempfile.mkdtemp()) / "settings.ini")), runner)
        self.viewport = self.application.viewport
        self.application.window.resize(*SIZE)
        self.application.window.show()
        runner.kernels_ready()
        self.run(1.0)       # the empty window is there

    @property
    def picture(self):
        """What is seen (app.viewport.picture)."""
        return self.viewport.picture

    def open(self, model: Path) -> None:
        """Open a model and run it, until its first picture is seen. Raises RuntimeError where it does not open."""
        swapped = []
        self.application.client.on_swap.append(swapped.append)
        self.application.session.open(model, run=True)
        problem: list[str] = []
        self.application.session.problem_changed.connect(problem.append)
        self.run(PATIENCE, lambda: any(problem) or bool(swapped) and self.picture is not None and self.picture.generation == swapped[-1].details["generation"])
        if not swapped:
            raise RuntimeError(f"{model}: {' '.join(problem) or 'no picture'}")

    def run(self, seconds: float, condition: Callable[[], bool] | None = None) -> None:
        """Turn the event loop, until the condition holds or the time is over."""
        from PyQt6.QtCore import QTimer

        end, timer = time.monotonic() + seconds, QTimer()
        timer.timeout.connect(lambda: self.app.exit() if time.monotonic() > end or condition is not None and condition() else None)
        timer.start(LOOK_MS)
        self.app.exec()

    def close(self) -> None:
        """Close the window without questions, and end every thread."""
        self.application.files.may_leave = lambda: True
        self.application.window.close()
        self.application.close()
