"""The console's text: qtconsole with a Python of IPython's in this process. Imported when the console is opened for the first time, and not before.

    input --this thread--> IPython's shell --print, values, errors--> the text
"""
from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

from ipykernel.inprocess.ipkernel import InProcessInteractiveShell
from PyQt6.QtGui import QFontDatabase, QPalette
from PyQt6.QtWidgets import QApplication, QWidget
from qtconsole.inprocess import QtInProcessKernelManager
from qtconsole.rich_jupyter_widget import RichJupyterWidget
from traitlets.config import Config

BANNER = "m: the Model   d: a copy of its Data   q(\"...\"): a value   sel: what is selected   ui: what can be done   (docs/scripts.md)\n"
SHEET = """QPlainTextEdit, QTextEdit {{ background-color: {base}; color: {text}; selection-background-color: {highlight}; border: 0px }}
.error {{ color: {error} }} .in-prompt {{ color: {prompt} }} .in-prompt-number {{ font-weight: bold }}
.out-prompt {{ color: {out} }} .out-prompt-number {{ font-weight: bold }}"""
DARK, LIGHT = ("#f0756a", "#6fb1ff", "#8b929c", "monokai", "linux"), ("#b3261e", "#0b62c4", "#7a818b", "default", "lightbg")


class ConsoleText(RichJupyterWidget):
    """names: what is known at first; refresh(): what of it changes, called before each input. folder: where inputs of earlier sessions are kept.

    While an input runs Ctrl+C in the program's terminal interrupts it.
    """

    def __init__(self, names: dict, refresh: Callable[[], dict], folder: Path, parent: QWidget):
        super().__init__(parent=parent)
        self._refresh, self._interrupts = refresh, None
        self.banner, self.confirm_restart = BANNER, False
        main = sys.modules["__main__"]
        InProcessInteractiveShell.clear_instance()      # of another window
        config = Config()
        config.InteractiveShell.ipython_dir = str(folder / "ipython")
        config.InteractiveShell.banner1 = config.InteractiveShell.banner2 = ""
        self.kernel_manager = QtInProcessKernelManager(config=config)
        self.kernel_manager.start_kernel(show_banner=False)
        sys.modules["__main__"] = main                  # IPython puts its own there
        self.shell = self.kernel_manager.kernel.shell
        self.shell.push(names)
        self.shell.events.register("pre_run_cell", self._before)
        self.shell.events.register("post_run_cell", self._after)
        self.dress()
        self.kernel_client = self.kernel_manager.client()
        self.kernel_client.start_channels()

    # ------------------------------------------------------------------ around each input

    def _before(self, _info=None) -> None:
        """The names are brought up to the present moment."""
        try:
            self.shell.push(self._refresh())
        except Exception as error:      # the input may do without
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        self._interrupts = signal.signal(signal.SIGINT, signal.default_int_handler)

    def _after(self, _result=None) -> None:
        if self._interrupts is not None:
            signal.signal(signal.SIGINT, self._interrupts)
            self._interrupts = None

    # ------------------------------------------------------------------ the look

    def dress(self) -> None:
        """Colours and size of the texts as in the rest of the window."""
        palette = QApplication.palette()
        base = palette.color(QPalette.ColorRole.Base)
        error, prompt, out, style, theme = DARK if base.lightness() < 128 else LIGHT
        sheet = SHEET.format(base=base.name(), text=palette.color(QPalette.ColorRole.Text).name(), highlight=palette.color(QPalette.ColorRole.Highlight).name(),
                             error=error, prompt=prompt, out=out)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(QApplication.font().pointSizeF())
        if (sheet, font) != (self.style_sheet, self.font):
            self.style_sheet, self.syntax_style = sheet, style
            self.font = font
            self._highlighter.rehighlight()
            self.shell.colors = theme
            self._ansi_processor.color_map.update({1: error, 9: error})     # its red cannot be read on dark ground

    # ------------------------------------------------------------------ the end

    def end(self) -> None:
        """Nothing is run any more; the inputs are kept for the next session."""
        self._after()
        if self.kernel_manager.kernel is not None:
            self.kernel_client.stop_channels()
            self.shell.history_manager.end_session()
            self.kernel_manager.shutdown_kernel()
            InProcessInteractiveShell.clear_instance()
