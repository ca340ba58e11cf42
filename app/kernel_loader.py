"""Compiles or loads the physics kernels beside the window, once for all windows of the program."""
import contextlib
import threading
import weakref

from PyQt6.QtCore import QObject, pyqtSignal

import physics
from physics.kernels.build import BuildError

FIRST_MODEL = 10.0   # s to wait for the model whose kernels are compiled first


class KernelLoader(QObject):
    """Compiles or loads the kernels off the GUI thread. Signals: progressed(done, total, name), failed(text);

    first_ready()   where kernels have to be compiled: those that the first model can reach are there, later those of another that was opened; at the end those of
                    the hard engine
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
        self._model: weakref.ref | None = None      # compiled last; it may be gone before it is asked for
        self._told = threading.Event()
        self.some_ready = False

    def model_compiled(self, model) -> None:
        """The model that is about to be shown (None: its text has errors); what it needs is compiled first. From any thread."""
        self._model = weakref.ref(model) if model is not None else None
        self._told.set()

    def _first_model(self):
        self._told.wait(FIRST_MODEL)
        model = self._model
        return model() if model is not None else None

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
        self.ready.emit()
        with contextlib.suppress(BuildError, OSError):   # without the rest models open too, by NumPy
            physics.ensure_compiler()
        with contextlib.suppress(BuildError, OSError):   # who asks for the hard engine is told then
            physics.ensure_hard(lambda done, total, name: self.progressed.emit(done, total, name))
            self.first_ready.emit()
