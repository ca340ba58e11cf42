"""A signal that does not interrupt the read that waits, as where it comes just before it or another thread gets it, is heard all the same."""
import os
import subprocess
import sys

import pytest

WAITING = """
import os, signal, threading, time
from app.film.signals import WakefulReader, signals_raise

class Asked(Exception):
    pass

def ask():
    time.sleep(0.1)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)      # to this thread: no system call of the main one ends by it

reads, writes = os.pipe()
pipe, room = WakefulReader(open(reads, "rb", buffering=0)), memoryview(bytearray(8))
os.write(writes, b"first")
assert pipe.readinto(room) == 5 and bytes(room[:5]) == b"first"
try:
    with signals_raise(Asked, "SIGTERM"):
        threading.Thread(target=ask).start()
        pipe.readinto(room)
except Asked:
    print("asked")
os.close(writes)
assert pipe.readinto(room) == 0
"""


@pytest.mark.skipif(os.name != "posix", reason="no such signals there")
def test_a_signal_is_heard_while_nothing_comes():
    child = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, timeout=60)
    assert (child.returncode, child.stdout) == (0, "asked\n"), child.stderr
