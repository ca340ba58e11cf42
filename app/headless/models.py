"""From a model file to a simulated state."""
from __future__ import annotations

import sys
import time
from pathlib import Path

from app.headless.outcome import DIVERGED, Failed

CHUNK = 200  # steps per compiled call while a run is watched


def load(path: Path, compat: str, stand_ins: bool = False, engine: str | None = None):
    """The compiled Model. stand_ins: take it with broken assets too, which are told about; engine: by its name, None: as the text says. Raises Failed with all problems of
    the file, and with what the engine cannot do."""
    import physics

    if not path.is_file():
        raise Failed(f"{path}: there is no such file")
    try:
        m = physics.load(path, compat=compat)
    except physics.ModelError as error:
        m = _with_stand_ins(path, compat) if stand_ins else None
        if m is None:
            raise Failed(str(error)) from None
        print(error, file=sys.stderr)
    if stand_ins and m.ntex:
        from app.bridge.assets.textures import texture_issues

        for issue in texture_issues(m):
            print(issue, file=sys.stderr)
    choose_engine(m, engine)
    return m


def choose_engine(m, engine: str | None) -> None:
    """Have an engine move the model, and tell what it leaves out of account. Raises Failed with all that it refuses."""
    from physics.enums import Engine
    from physics.simulate import hard_unsupported

    if engine is not None:
        m.opt.engine = Engine[engine.upper()]
    if m.opt.engine != Engine.HARD or m.view_only:
        return
    issues = hard_unsupported.issues(m)
    if issues:
        raise Failed("\n".join(map(str, issues)))
    for issue in hard_unsupported.ignored(m):
        print(issue, file=sys.stderr)


def _with_stand_ins(path: Path, compat: str):
    """The Model with stand-ins for what is broken; None where that is more than its assets."""
    import physics

    try:
        return physics.load(path, compat=compat, stand_ins=True)
    except physics.ModelError:
        return None


def data_of(m, key: str | None):
    """A Data at the start state or at a keyframe."""
    import physics

    d = physics.Data(m)
    if key is not None:
        try:
            physics.reset(m, d, int(key) if key.lstrip("-").isdigit() else key)
        except (KeyError, IndexError) as error:
            raise Failed(str(error.args[0])) from None
    return d


def kernels() -> None:
    """Make the engine callable, telling about longer compiling."""
    import physics

    told = []

    def progress(done, total, _symbol):
        if not told or done == total or time.monotonic() - told[-1] > 2:
            told.append(time.monotonic())
            print(f"compiling kernels {done} of {total}", file=sys.stderr)

    physics.compile_kernels(progress)


def simulate(m, d, seconds: float, each=None, every: int = CHUNK) -> int:
    """Step until `seconds` have passed; the number of steps. each() is called after every `every` steps and at the end.

    Raises Failed where the model cannot be simulated or diverges.
    """
    import physics
    from physics.simulate.warnings import divergence

    wanted = round(seconds / m.opt_timestep)
    done = 0
    while done < wanted:
        n = min(every, wanted - done)
        try:
            taken = physics.step(m, d, n, autoreset=False)   # told, not begun anew
        except physics.ViewOnlyError as error:
            raise Failed(str(error)) from None
        done += taken
        if taken < n:
            found = divergence(m, d)
            raise Failed(found.text if found else f"the step at time {d.time:g} s could not be completed", DIVERGED)
        if each is not None:
            each()
    return done


def come_to(m, d, seconds: float) -> None:
    """Simulate so many seconds and compute all that follows from the state; of a model that can only be viewed the poses."""
    import physics
    from physics.engine.kinematics.kinematics import kinematics

    kernels()
    if seconds > 0:
        simulate(m, d, seconds)
    try:
        physics.forward(m, d)
    except physics.ViewOnlyError:
        kinematics(m, d)
