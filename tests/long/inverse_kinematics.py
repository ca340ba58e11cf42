"""Inverse kinematics on robots of the corpus: `./test.sh --long inverse_kinematics [--targets N] [--only NAME ...] [--json FILE]`.

Reachable targets are where a point is in a random pose within the limits; the search starts from another random pose. Told are the shares met within 1 mm from one
start and with restarts, the farthest that any pose is beyond a limit of a joint or tendon, and the largest residual of an equality constraint. Targets out of reach are compared with the
nearest of many random poses, improved.
"""
import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

import physics
from physics.inverse_kinematics.limits import Limits, random_pose
from physics.inverse_kinematics.problem import FRAMES
from tests.oracle.corpus import corpus_dir, has_corpus

# name -> (file, elements that are put somewhere)
ROBOTS = {
    "KUKA iiwa 14": ("menagerie_kuka_iiwa_14/scene.xml", (("site", "attachment_site"),)),
    "Flexiv Rizon 4": ("menagerie_flexiv_rizon4/scene.xml", (("body", "link7"),)),
    "UFACTORY xArm 7": ("menagerie_ufactory_xarm7/scene.xml", (("site", "link_tcp"), ("body", "left_finger"))),
    "Trossen ViperX 300": ("menagerie_trossen_vx300s/scene.xml", (("site", "pinch"),)),
    "SO-ARM100": ("menagerie_trs_so_arm100/scene.xml", (("body", "Moving_Jaw"),)),
    "Shadow hand": ("menagerie_shadow_hand/right_hand.xml", (("body", "rh_ffdistal"), ("body", "rh_lfdistal"), ("body", "rh_thdistal"))),
    "Allegro hand": ("menagerie_wonik_allegro/right_hand.xml", (("body", "ff_tip"), ("body", "th_tip"))),
    "Barkour": ("menagerie_google_barkour_vb/scene.xml", (("site", "foot_front_left"), ("site", "foot_hind_right"))),
    "Laikago": ("urdf_laikago/laikago_toes_zup.urdf", (("body", "FR_lower_leg"), ("body", "RL_lower_leg"))),
    "Booster T1": ("menagerie_booster_t1/scene.xml", (("body", "left_hand_link"), ("body", "right_foot_link"))),
    "Cassie": ("menagerie_agility_cassie/scene.xml", (("body", "left-foot"),)),
    "Humanoid": ("mj_humanoid/humanoid.xml", (("body", "hand_left"), ("body", "foot_right"))),
}
REACHED, EXCESS, EQUALITY = 1e-3, 1e-9, 1e-4     # [m], [rad or m], [m or rad]
SHARE = 0.98        # of reachable targets met with restarts
NEAR = 1.02         # times the distance of the nearest pose known, and a millimetre
SAMPLES, IMPROVED = 400, 3


class Robot:
    """A model with random poses in which its equality constraints hold; what floats stays where it is."""

    def __init__(self, path: Path, seed: int):
        self.m = physics.load(path)
        self.d, self.solver, self.limits = physics.Data(self.m), physics.IKSolver(self.m), Limits(self.m)
        self.random = np.random.default_rng(seed)
        self._loops = bool(self.m.neq)

    def pose(self, element) -> np.ndarray:
        """A random pose."""
        m = self.m
        for _ in range(200):
            qpos = random_pose(m, m.qpos0.copy(), np.arange(m.njnt), 0.1, self.limits, self.random)
            if not self._loops:
                return qpos
            closed = self.solver.solve([physics.IKTarget(*element, pos=self.place(qpos, element))], qpos, options=physics.IKOptions(posture=0.0, root="fixed"))
            if closed.equality < 1e-6:
                return closed.qpos
        raise RuntimeError("no random pose closes the loops")

    def place(self, qpos, element) -> np.ndarray:
        """Where an element is in a pose."""
        self.d.qpos[:] = qpos
        physics.kinematics(self.m, self.d)
        return np.array(getattr(self.d, FRAMES[element[0]][1])[self.m.id(*element)])

    def solve(self, element, target, start, restarts: int):
        """A pose in which the element is nearest to the target; what floats stays."""
        return self.solver.solve([physics.IKTarget(*element, pos=target)], start, options=physics.IKOptions(root="fixed", restarts=restarts))


def reachable(robot: Robot, elements, targets: int) -> dict:
    """Shares of met targets and the worst of limits and constraints."""
    once = met = 0
    excess = equality = 0.0
    times = []
    for k in range(targets):
        element = elements[k % len(elements)]
        target, start = robot.place(robot.pose(element), element), robot.pose(element)
        first = robot.solve(element, target, start, 0)
        begun = time.perf_counter()
        found = robot.solve(element, target, start, 20)
        times.append(time.perf_counter() - begun)
        once += first.pos_errors[0] <= REACHED
        met += found.pos_errors[0] <= REACHED
        excess = max(excess, robot.limits.excess(first.qpos), robot.limits.excess(found.qpos), found.tendon)
        equality = max(equality, first.equality, found.equality)
    return {"targets": targets, "one_start": once / targets, "with_restarts": met / targets, "excess": excess, "equality": equality, "median_ms": 1e3 * float(np.median(times))}


def unreachable(robot: Robot, elements, targets: int) -> dict:
    """How much farther the poses found are from targets out of reach than the nearest pose known, at most [m]; whether any is no number or breaks a limit."""
    worst, broken, excess = 0.0, 0, 0.0
    for k in range(targets):
        element = elements[k % len(elements)]
        poses = [robot.pose(element) for _ in range(SAMPLES if not robot._loops else 20)]
        places = np.array([robot.place(qpos, element) for qpos in poses])
        away = robot.random.normal(size=3)
        target = places.mean(0) + 3 * np.linalg.norm(places - places.mean(0), axis=1).max() * away / np.linalg.norm(away)
        order = np.argsort(np.linalg.norm(places - target, axis=1))
        known = min(robot.solve(element, target, poses[i], 0).pos_errors[0] for i in order[:IMPROVED])
        found = robot.solve(element, target, robot.pose(element), 20)
        excess = max(excess, robot.limits.excess(found.qpos), found.tendon)
        broken += not np.isfinite(found.qpos).all()
        worst = max(worst, found.pos_errors[0] / known)
    return {"far_targets": targets, "times_the_nearest": worst, "far_excess": excess, "not_finite": broken}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    if not has_corpus():
        print(f"the model corpus is not at {corpus_dir()}")
        return 1
    physics.ensure_kernels()
    rows, wrong = {}, []
    print(f"{'':20s} {'nv':>3s} {'one start':>9s} {'restarts':>9s} {'limits':>9s} {'equality':>9s} {'median':>9s} {'out of reach':>13s}", flush=True)
    for number, (name, (file, elements)) in enumerate(ROBOTS.items()):
        if chosen.only and name not in chosen.only:
            continue
        robot = Robot(corpus_dir() / file, number)
        row = rows[name] = {"nv": int(robot.m.nv), **reachable(robot, elements, chosen.targets), **unreachable(robot, elements, max(1, chosen.targets // 10))}
        print(f"{name:20s} {row['nv']:3d} {row['one_start']:9.1%} {row['with_restarts']:9.1%} {max(row['excess'], row['far_excess']):9.1e} {row['equality']:9.1e} {row['median_ms']:6.1f} ms {row['times_the_nearest']:12.4f}x", flush=True)
        if row["with_restarts"] < SHARE or max(row["excess"], row["far_excess"]) > EXCESS or row["equality"] > EQUALITY or row["times_the_nearest"] > NEAR or row["not_finite"]:
            wrong.append(name)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))
    print(f"{len(rows) - len(wrong)} of {len(rows)} robots pass" + (f"; not: {', '.join(wrong)}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
