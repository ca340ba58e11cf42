"""Nothing is lost in silence: an unexpected error is shown in the log, written to a file, and the program goes on."""
import sys
import threading
import time
import traceback
from datetime import datetime
from pathlib import Path

from platformdirs import user_log_dir

PAUSE = 10.0   # seconds between reports of the very same error


def log_file() -> Path:
    """Where unexpected errors are written."""
    return Path(user_log_dir("linkwork", appauthor=False)) / "errors.log"


def install(tell) -> None:
    """Send unhandled exceptions of Python code, of slots and of any thread, to `tell(text)` and to log_file().

    Without a hook PyQt ends the process when a slot raises.
    """

    told: dict[str, float] = {}

    def hook(kind, error, trace):
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        now = time.monotonic()
        if told.get(text, -PAUSE) + PAUSE > now:
            return   # the same again, as when every picture fails: once in a while is enough
        told[text] = now
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
    threading.excepthook = lambda args: hook(args.exc_type, args.exc_value, args.exc_traceback)
