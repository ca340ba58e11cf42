"""A study on a Ray cluster of two nodes on this machine: `./test.sh --long ray [--json FILE]`.

Ray is installed, pinned, into a throw-away folder (or looked for in the one that LINKWORK_RAY_PACKAGES names). The same study is conducted by processes of this machine with 1 and 2 workers, on a
cluster of one node, of two, of two of which one is killed, and with a driver that is killed and begun again: all tables have to be the same, byte for byte.
The JSON: {"rows": [{"case", "trials", "same", "seconds"}]}.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEEDS = ("ray==2.60.0",)
STUDY = """model = "{model}"
seconds = 40
seeds = 2
[start]
noise = {{qpos = 0.01}}
[vary]
"geom.floor.friction[0]" = {{from = 0.2, to = 1.2, steps = 4}}
"actuator.*.kp" = {{from = 20, to = 100, steps = 3}}
[goal]
maximise = 'mean(body("trunk").xpos[2])'
"""
TRIALS, SECONDS = 24, 300     # s that each may take
_CLUSTER = """
import os, secrets, sys, threading, time
os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"] = "token", sys.argv[1]
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
second = cluster.add_node(num_cpus=1) if sys.argv[2] != "1" else None
print(cluster.address, flush=True)
for line in sys.stdin:
    if line.strip() == "kill" and second is not None:
        cluster.remove_node(second, allow_graceful=False)
        print("killed", flush=True)
    elif line.strip() == "end":
        break
cluster.shutdown()
"""


def installed(place: Path) -> Path:
    """A folder with the packages. Raises CalledProcessError where they cannot be had."""
    if ready := os.environ.get("LINKWORK_RAY_PACKAGES"):
        return Path(ready)
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", str(place), *NEEDS], check=True)
    return place


class Bench:
    """The study, conducted in several ways."""

    def __init__(self, folder: Path, packages: Path):
        self.path, self.token = folder / "study.toml", os.urandom(32).hex()
        self.table = folder / "study.results.csv"
        self.path.write_text(STUDY.format(model=ROOT / "models" / "quadruped.xml"))
        self.env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), str(packages)]), RAY_AUTH_TOKEN=self.token)
        self.rows, self.first = [], b""

    def sweep(self, *options: str) -> subprocess.Popen:
        """Begin to conduct it."""
        return subprocess.Popen([sys.executable, "-m", "app.main", "sweep", str(self.path), *options], env=self.env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def cluster(self, nodes: int) -> tuple[subprocess.Popen, str]:
        """Begin a cluster; its address."""
        made = subprocess.Popen([sys.executable, "-c", _CLUSTER, self.token, str(nodes)], env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return made, made.stdout.readline().strip()

    def await_rows(self, count: int, process: subprocess.Popen) -> None:
        """Until the table has so many trials."""
        while process.poll() is None and (not self.table.exists() or self.table.read_bytes().count(b"\n") <= count):
            time.sleep(0.05)

    def done(self, case: str, begun: float) -> None:
        """Compare the table with the first one."""
        found = self.table.read_bytes() if self.table.exists() else b""
        self.first = self.first or found
        row = {"case": case, "trials": found.count(b"\n") - 1, "same": found == self.first, "seconds": round(time.monotonic() - begun, 1)}
        self.rows.append(row)
        print(row, flush=True)
        self.table.unlink(missing_ok=True)

    def local(self, workers: int) -> None:
        """By processes of this machine."""
        begun = time.monotonic()
        self.sweep("--workers", str(workers)).wait(SECONDS)
        self.done(f"local, {workers}", begun)

    def on_cluster(self, case: str, nodes: int, kill_node: bool = False, kill_driver: bool = False) -> None:
        """On a cluster, of which something is killed on the way."""
        cluster, address = self.cluster(nodes)
        try:
            begun = time.monotonic()
            driver = self.sweep("--on", f"ray://{address}")
            if kill_node or kill_driver:
                self.await_rows(5, driver)
            if kill_node:
                cluster.stdin.write("kill\n")
                cluster.stdin.flush()
            if kill_driver:
                driver.kill()
                driver.wait()
                driver = self.sweep("--on", f"ray://{address}")
            driver.wait(SECONDS)
            self.done(case, begun)
        finally:
            cluster.stdin.write("end\n")
            cluster.stdin.close()
            cluster.wait(SECONDS)


def main() -> int:
    """Conduct and compare; 1 where a table differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), installed(Path(folder, "packages")))
        bench.local(1)
        bench.local(2)
        bench.on_cluster("ray, one node", 1)
        bench.on_cluster("ray, two nodes", 2)
        bench.on_cluster("ray, a node killed", 2, kill_node=True)
        bench.on_cluster("ray, the driver killed", 2, kill_driver=True)
    if given.json:
        given.json.write_text(json.dumps({"rows": bench.rows}, indent=1))
    return int(not all(row["same"] and row["trials"] == TRIALS for row in bench.rows))


if __name__ == "__main__":
    sys.exit(main())
