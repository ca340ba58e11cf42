"""The command `linkwork`: the window by default, sub-commands for work without one.

    linkwork [MODEL ...]                 open a window each, on a bundled model when none is named
    linkwork render|run|check|bench|compare|convert|dump|info|replay|export|tune|sweep|teleop|demo|exec ...  see app.headless (no Qt is imported for these)
"""
import gc
import os
import sys

from app.start.command_line import HEADLESS_COMMANDS, parse

NO_DISPLAY = """There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window cannot open.
Without one you can use:
  linkwork render MODEL -o picture.png [--size 1280x720 --camera NAME --time T]
  linkwork render MODEL -o film.mp4 [--duration S --fps 60 --speed 1]
  linkwork run MODEL --time T [--csv FILE]
  linkwork check MODEL...
  linkwork bench MODEL
  linkwork compare MODEL [--time S] [--csv FILE]
  linkwork convert MODEL OUT.xml|OUT.zip|OUT.lwb
  linkwork dump MODEL
  linkwork info RECORDING.h5
  linkwork replay RECORDING.h5 [--check]
  linkwork export RECORDING.h5 -o OUT.csv|OUT.npz
  linkwork teleop MODEL [--source pad:0] [--measure OUT.csv]
  linkwork tune sweep MODEL --set WHAT=LOW:HIGH:COUNT --metric EXPRESSION
  linkwork sweep STUDY.toml [--workers N]
  linkwork demo record|info|check|replay|trim|cut|merge|export RECORDING.h5 ...
  linkwork exec SCRIPT.py
or start a virtual display first, for example: xvfb-run -a linkwork MODEL"""


def has_display() -> bool:
    """Whether a window can be shown: always outside Linux; there, an X or Wayland display or a platform that needs none."""
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in ("offscreen", "minimal", "vnc", "eglfs", "linuxfb"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def main(arguments: list[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] != ["exec"]:     # what a script computes is its own affair
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")   # our matrices are small: a second thread would only spin beside the physics thread
    if arguments and arguments[0] in HEADLESS_COMMANDS:
        from app import headless

        return headless.main(arguments)
    chosen = parse(arguments)
    if not has_display():
        print(NO_DISPLAY, file=sys.stderr)
        return 2
    return window_program().run(chosen)


def window_program():
    """The module app.program. Python's collector waits meanwhile: of what modules make nothing is to be freed, and looking through it would take some 40 ms."""
    collects = gc.isenabled()
    gc.disable()
    try:
        from app import program
    finally:
        if collects:
            gc.enable()
    return program


if __name__ == "__main__":
    sys.exit(main())
