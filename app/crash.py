"""Nothing is lost in silence: an unexpected error is shown in the log, written to a file, and the program goes on."""
import sys
import traceback
from datetime import datetime
from pathlib import Path

from platformdirs import user_log_dir


def log_file() -> Path:
    """Where unexpected errors are written."""
    return Path(user_log_dir("linkwork", appauthor=False)) / "errors.log"


def install(tell) -> None:
    """Send unhandled exceptions of any thread's Python code on the GUI thread to `tell(text)` and to log_file().

    Without a hook PyQt ends the process when a slot raises.
    """

    def hook(kind, error, trace):
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        try:
            file = log_file()
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as out:
                out.write(f"{datetime.now().isoformat(timespec='seconds')}\n{text}\n")
        except OSError:
            pass   # the message on stderr and in the window must do
        tell(f"Unexpected error: {kind.__name__}: {error} (details in {log_file()})")

    sys.excepthook = hook
