"""The window as benchmarks.start launches it: says in lines of JSON when what has happened, in seconds since the time given.

`python -m benchmarks.first_motion BEGUN [MODEL]`: BEGUN is time.time() when the process was started. Ends when the model has moved for 0.1 s of
its time; with --all also the rest of the kernels must be there.
"""
import json
import sys
import time

MOVED = 0.1   # s of simulated time


def main() -> int:
    """Open the window, tell, end."""
    begun, rest = float(sys.argv[1]), sys.argv[2:]

    def tell(what: str, **more) -> None:
        print(json.dumps({"what": what, "seconds": time.time() - begun, **more}), flush=True)

    tell("python")
    from PyQt6.QtWidgets import QApplication

    from app import wire
    from app.main import parse_window_arguments

    tell("imports")

    class Watched(wire.Application):
        """Tells what happens to it."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            tell("window")
            wait = "--all" in rest
            self._seen = self._moved = self._all = False
            self.context.first_frame.connect(self._drawn)
            self.loader.first_ready.connect(lambda: tell("reachable kernels"))
            self.loader.ready.connect(lambda: self._everything(wait))
            self.client.on_snapshot.append(lambda snapshot: self._look(snapshot, wait))

        def _drawn(self) -> None:
            self._seen = True
            tell("first picture")

        def _look(self, snapshot, wait: bool) -> None:
            if self._seen and not self._moved and snapshot.time > MOVED:
                self._moved = True
                tell("first motion", step_us=snapshot.step_us)
                if not wait or self._all:
                    QApplication.exit(0)

        def _everything(self, wait: bool) -> None:
            self._all = True
            tell("all kernels")
            if wait and self._moved:
                QApplication.exit(0)

    wire.Application = Watched
    return wire.run(parse_window_arguments([*(a for a in rest if a != "--all"), "--reset-layout"]))


if __name__ == "__main__":
    sys.exit(main())
