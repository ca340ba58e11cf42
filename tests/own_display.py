"""A virtual display for each worker of a parallel run: two windows on one display would take the focus from each other."""
import atexit
import os
import subprocess

SCREEN = ("-screen", "0", "1600x1000x24", "+extension", "GLX", "-nolisten", "tcp")


def begin() -> None:
    """Where LINKWORK_DISPLAYS=each and this process is a worker: start a display of its own, which ends with it. Raises FileNotFoundError without Xvfb."""
    if os.environ.get("LINKWORK_DISPLAYS") != "each" or "PYTEST_XDIST_WORKER" not in os.environ:
        return
    told, tells = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(tells), *SCREEN], pass_fds=(tells,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(tells)
    atexit.register(server.wait)
    atexit.register(server.terminate)
    with os.fdopen(told) as answer:
        number = answer.readline().strip()
    if not number:
        raise OSError("Xvfb has not started")
    os.environ["DISPLAY"] = f":{number}"
