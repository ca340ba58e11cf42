"""Workers that were told to end are gone when the program has ended, and nobody waits for them before."""
import os
import subprocess
import sys
import threading
from pathlib import Path

from app.demonstrations import reaper
from tests.app.demonstrations.policy.programs import ROOT

STUBBORN = """
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path("ready").touch()
time.sleep(60)
"""
PROGRAM = """
import pathlib, sys, time
from app.demonstrations.policy import link
from app.demonstrations.policy.policy import Policy
from physics.runtime.runner import Runner

link.GRACE = 0.3

class Nobody:
    driver = ""

    def withdraw(self, who):
        pass

policy = Policy(Runner(), Nobody(), f"{sys.executable} stubborn.py")
policy.start()
while not pathlib.Path("ready").exists():
    time.sleep(0.01)
policy.stop()
print(policy._link._process.pid)
"""


def test_a_policy_that_was_stopped_does_not_outlive_the_program(tmp_path):
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert not Path(f"/proc/{int(done.stdout)}").exists()


def test_a_thread_is_waited_for_at_the_end_alone():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    reaper.see_to(None, 1.0)
    reaper.see_to(thread, 60.0)     # it was not begun
    thread.start()
    reaper.see_to(thread, 60.0)
    assert thread.is_alive()
    end.set()
    reaper.wait()
    assert not thread.is_alive()
    forever = threading.Event()
    stuck = threading.Thread(target=forever.wait)
    stuck.start()
    reaper.see_to(stuck, 0.0)
    reaper.wait()       # its time is over
    assert stuck.is_alive()
    forever.set()
    stuck.join()
