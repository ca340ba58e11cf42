"""Two pipes in place of those of a process, for tests that play the window."""
import os


class Ends:
    """stdin, stdout: the script's ends, as subprocess.Popen has them; incoming, outgoing: the window's."""

    def __init__(self):
        (incoming, stdin), (stdout, outgoing) = os.pipe(), os.pipe()
        self.incoming, self.outgoing = os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        self.pid, self.killed = os.getpid(), False

    def wait(self):
        return 0

    def poll(self):
        return 0

    def kill(self):
        self.killed = True
        self.outgoing.close()
