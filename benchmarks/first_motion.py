"""The window as benchmarks.start launches it: says in lines of JSON when what has happened, in seconds since the time given.

`python -m benchmarks.first_motion BEGUN [MODEL]`: BEGUN is time.time() when the process was started. Ends when the model has moved for 0.1 s of
its time. With --all it goes on until the rest of the kernels are there and AFTER seconds more, and tells for the time beside the compiling
('beside') and after it ('alone') how even the pictures came, what a step cost, and how much processor time the window took.
"""
import json
import os
import statistics
import sys
import time

MOVED = 0.1   # s of simulated time
AFTER = 5.0   # s to look at once all kernels are there


class Stretch:
    """A stretch of running: pictures, steps and processor time from its making until `told`."""

    def __init__(self, application):
        self._viewport, self._thread = application.viewport, application.runner._thread
        self._begun, self._cpu, self._physics = time.perf_counter(), time.process_time(), self._physics_time()
        self._viewport.frame_times = self._pictures = []
        self.step_us: list[float] = []
        self._times: list[float] = []

    def _physics_time(self) -> float:
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident))

    def look(self, snapshot) -> None:
        """A newer snapshot is shown."""
        self._times.append(snapshot.time / snapshot.model.opt_timestep)
        self.step_us.append(snapshot.step_us)

    def told(self) -> dict[str, float]:
        """Seconds, frame intervals [ms], processor time of the window per second, of the physics thread per step, and of a step alone [us]."""
        wall = time.perf_counter() - self._begun
        gaps = sorted(1e3 * (b - a) for a, b in zip(self._pictures, self._pictures[1:]))
        steps = self._times[-1] - self._times[0]
        return {"wall_s": wall, "frame_ms": statistics.median(gaps), "frame_p95_ms": gaps[int(.95 * len(gaps))], "frame_max_ms": gaps[-1],
                "window_cpu": (time.process_time() - self._cpu) / wall, "step_us": statistics.median(self.step_us),
                "thread_us": 1e6 * (self._physics_time() - self._physics) / steps}


def watched(tell, whole: bool):
    """The Application of app.wire that tells what happens to it. whole: until there is nothing to compile, not only until the model moves."""
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication

    from app import wire

    class Watched(wire.Application):
        """Tells what happens to it."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            tell("window")
            self._seen = self._moved = False
            self._stretch = None
            self.context.first_frame.connect(self._drawn)
            self.loader.first_ready.connect(lambda: tell("reachable kernels"))
            self.loader.ready.connect(self._everything)
            self.loader.ended.connect(self._alone)
            self.client.on_snapshot.append(self._look)

        def _drawn(self) -> None:
            self._seen = True
            tell("first picture")

        def _look(self, snapshot) -> None:
            if self._stretch is not None:
                self._stretch.look(snapshot)
            if self._seen and not self._moved and snapshot.time > MOVED:
                self._moved = True
                tell("first motion", step_us=snapshot.step_us)
                self._stretch = Stretch(self)
                if not whole:
                    QApplication.exit(0)

        def _everything(self) -> None:
            tell("all kernels")
            if self._stretch is not None:
                print(json.dumps({"beside": self._stretch.told(), "workers_s": sum(os.times()[2:4])}), flush=True)

        def _alone(self) -> None:
            if not self._moved:   # a warm cache: all is there before the first picture
                QTimer.singleShot(100, self._alone)
                return
            tell("nothing to compile")
            self._stretch = Stretch(self)
            QTimer.singleShot(int(1e3 * AFTER), self._end)

        def _end(self) -> None:
            if whole:
                print(json.dumps({"alone": self._stretch.told()}), flush=True)
                QApplication.exit(0)

    return Watched


def main() -> int:
    """Open the window, tell, end."""
    begun, rest = float(sys.argv[1]), sys.argv[2:]

    def tell(what: str, **more) -> None:
        print(json.dumps({"what": what, "seconds": time.time() - begun, **more}), flush=True)

    tell("python")
    from app import program, wire
    from app.start.command_line import parse

    tell("imports")
    wire.Application = watched(tell, "--all" in rest)
    return program.run(parse([*(a for a in rest if a != "--all"), "--reset-layout"]))


if __name__ == "__main__":
    sys.exit(main())
