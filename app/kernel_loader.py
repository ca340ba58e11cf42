"""Compiles or loads the physics kernels beside the window, once for all windows of the program."""
import contextlib
import queue
import threading

from PyQt6.QtCore import QObject, pyqtSignal

import physics
from physics.kernels.build import BuildError

FIRST_MODEL = 10.0   # s to wait for the model whose kernels are compiled first


class KernelLoader(QObject):
    """Compiles or loads the kernels off the GUI thread. Signals: progressed(done, total, name), failed(text);

    first_ready()   where kernels have to be compiled: those that the first model can reach are there, later those of another that was opened
    ready()         all of the engine are there
    ended()         nothing is compiled any more
    """

    progressed = pyqtSignal(int, int, str)
    first_ready = pyqtSignal()
    ready = pyqtSignal()
    ended = pyqtSignal()
    failed = pyqtSignal(str)

    def __init__(self):
        super().__init__()
        self._models: queue.SimpleQueue = queue.SimpleQueue()
        self._asks = True   # for the first model alone: what nobody takes would keep all that follow alive
        self.some_ready = False

    def model_compiled(self, model) -> None:
        """The model that is about to be shown (None: its text has errors); what it needs is compiled first. From any thread."""
        if self._asks:
            self._asks = False
            self._models.put(model)

    def _first_model(self):
        with contextlib.suppress(queue.Empty):
            return self._models.get(timeout=FIRST_MODEL)

    def _let_go(self) -> None:
        """Nobody asks any more."""
        self._asks = False
        with contextlib.suppress(queue.Empty):
            self._models.get_nowait()

    def _first_ready(self) -> None:
        self.some_ready = True
        self.first_ready.emit()

    def start(self) -> None:
        """Begin; the signals arrive in the GUI thread."""
        threading.Thread(target=self._work, name="kernels", daemon=True).start()

    def _work(self) -> None:
        self._compile()
        self.ended.emit()

    def _compile(self) -> None:
        try:
            physics.ensure_engine(lambda done, total, name: self.progressed.emit(done, total, name), self._first_model, self._first_ready)
        except Exception as error:
            self.failed.emit(str(error))
            return
        finally:
            self._let_go()
        self.ready.emit()
        with contextlib.suppress(BuildError, OSError):   # without the rest models open too, by NumPy
            physics.ensure_compiler()
