"""Whole numbers written into a Model that runs: wrong ones are exceptions, whatever is called, and mended ones let it go on. Before, most ended the process."""
import copy
import json
import subprocess
import sys
import threading

import numpy as np
import pytest

import physics
from physics.engine import forward
from physics.model import lwb_validate
from physics.model.index_fields import ALONE, INDEX_FIELDS, INDEX_RULES, SEEN_BY_ENGINE, TRUSTED, any_number
from tests.physics.model.hostile_models import hostile_models

RULES = ("index", "member", "between", "run", "bound", "derived")

# each field of some rules, at its first and last entry, with numbers that it must not hold; in a process of its own
ATTACK = """
import json, sys
import numpy as np
import physics
from physics.model.index_fields import INDEX_FIELDS, TRUSTED
from physics.model.lwb_validate import check_indices
from tests.physics.model.hostile_models import hostile_models

physics.compile_kernels()
models = hostile_models()
datas = [physics.Data(m) for m in models]
for m, d in zip(models, datas):
    d.qvel[:] = 0.1
    physics.step(m, d, 2)
for rule in sys.argv[1:]:
    print(json.dumps([rule, {}]), flush=True)
    found = {}
    for row in INDEX_FIELDS:
        if row.rule != rule or row.field not in TRUSTED:
            continue
        for m, d in zip(models, datas):
            values = getattr(m, row.field)
            if not isinstance(values, np.ndarray) or not values.size:
                continue
            values = values.view(np.uint8) if values.dtype == bool else values
            for place in (0, values.size - 1):
                at = np.unravel_index(place, values.shape)
                before, state = values[at].item(), d.qpos.copy()
                for wrong in (255,) if values.dtype == np.uint8 else (-77, 1 << 30):
                    values[at] = wrong
                    may_compute = not check_indices(m)   # a number that this element does not read
                    for call in (physics.step, physics.forward, physics.inverse, lambda m, d: physics.jac_body(m, d, 1)):
                        try:
                            call(m, d)
                            what = "computed, as it may" if may_compute else "computed"
                        except physics.ViewOnlyError as error:
                            what = "refused" if row.field in str(error) or "condim" in str(error) else str(error)
                        except Exception as error:
                            what = f"{type(error).__name__}: {error}"
                        found.setdefault(f"{row.field} {what}", 0)
                        found[f"{row.field} {what}"] += 1
                    assert may_compute or (d.qpos == state).all(), row.field
                    values[at] = before
                    physics.forward(m, d)
        print(json.dumps([rule, found]), flush=True)
"""
LOOSE = ("geom_condim", "pair_dim")   # contacts have dimensions in steps only: other questions do not mind


@pytest.fixture(scope="module")
def attacked():
    """rule -> (what came of it, '' or how the process ended in it): one process for all rules, and one more for what is left where it ends."""
    found, ended, left = {}, {}, list(RULES)
    while left:
        done = subprocess.run([sys.executable, "-c", ATTACK, *left], capture_output=True, text=True, timeout=300)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found |= dict(lines)
        last = lines[-1][0] if lines else left[0]
        if done.returncode:
            ended[last] = f"the process ended with {done.returncode}; done so far: {found.get(last)} {done.stderr[-2000:]}"
        left = left[left.index(last) + 1:]
    return {rule: (found.get(rule, {}), ended.get(rule, "")) for rule in RULES}


@pytest.mark.parametrize("rule", RULES)
def test_wrong_numbers_are_refused_by_name(attacked, rule):
    found, ended = attacked[rule]
    assert not ended, ended
    refused = {key.split()[0] for key in found if key.endswith(" refused")}
    assert refused == {row.field for row in INDEX_FIELDS if row.rule == rule and row.field in TRUSTED} - _scalars()
    wrong = {key: n for key, n in found.items() if not key.endswith((" refused", " as it may")) and key.split()[0] not in LOOSE}
    assert not wrong, wrong


def _scalars() -> set[str]:
    return set(physics.Model.layout.scalars)


@pytest.fixture(scope="module")
def models():
    physics.compile_kernels()
    return hostile_models()


@pytest.fixture
def scene(models):
    m = copy.copy(models[0])
    d = physics.Data(m)
    d.qvel[:] = 0.1
    physics.step(m, d, 3)
    return m, d


def _full(m, d):
    return physics.get_state(m, d, physics.StateBit.FULLPHYSICS)


CALLS = {
    "step": physics.step, "forward": physics.forward, "inverse": physics.inverse, "step1": physics.step1, "step2": physics.step2,
    "fwd_position": physics.fwd_position, "fwd_velocity": physics.fwd_velocity, "compare_fwd_inv": physics.compare_fwd_inv, "reset": physics.reset,
    "kinematics": physics.kinematics, "com_pos": physics.com_pos, "com_vel": physics.com_vel, "tendon": physics.tendon, "transmission": physics.transmission,
    "rne": physics.rne, "rne_post_constraint": physics.rne_post_constraint, "subtree_vel": physics.subtree_vel, "energy_pos": physics.energy_pos,
    "energy_vel": physics.energy_vel, "get_state": physics.get_state, "full_m": physics.full_m, "Data": lambda m, d: physics.Data(m), "copy": lambda m, d: d.copy(),
    "jac": lambda m, d: physics.jac(m, d, (0, 0, 0), 1), "jac_body": lambda m, d: physics.jac_body(m, d, 1), "jac_geom": lambda m, d: physics.jac_geom(m, d, 0),
    "jac_site": lambda m, d: physics.jac_site(m, d, 0), "jac_dot": lambda m, d: physics.jac_dot(m, d, (0, 0, 0), 1),
    "jac_subtree_com": lambda m, d: physics.jac_subtree_com(m, d, 1), "angmom_mat": lambda m, d: physics.angmom_mat(m, d, 1),
    "mul_m": lambda m, d: physics.mul_m(m, d, np.ones(m.nv)), "solve_m": lambda m, d: physics.solve_m(m, d, np.ones(m.nv)),
    "object_velocity": lambda m, d: physics.object_velocity(m, d, "body", 1), "object_acceleration": lambda m, d: physics.object_acceleration(m, d, "body", 1),
    "contact_force": lambda m, d: physics.contact_force(m, d, 0), "apply_ft": lambda m, d: physics.apply_ft(m, d, (1, 0, 0), (0, 0, 0), (0, 0, 0), 1),
    "geom_distance": lambda m, d: physics.geom_distance(m, d, 0, 1), "ray": lambda m, d: physics.ray(m, d, (0, 0, 3), (0, 0, -1)),
    "rays": lambda m, d: physics.rays(m, d, (0, 0, 3), [(0, 0, -1)]), "ray_geom": lambda m, d: physics.ray_geom(m, d, 0, (0, 0, 3), (0, 0, -1)),
    "transition": physics.transition, "transition_analytic": physics.transition_analytic, "transition_fd": physics.transition_fd, "inverse_fd": physics.inverse_fd,
    "integrate_pos": lambda m, d: physics.integrate_pos(m, d.qpos, d.qvel), "normalize_quat": lambda m, d: physics.normalize_quat(m, d.qpos),
    "differentiate_pos": lambda m, d: physics.differentiate_pos(m, d.qpos, d.qpos),
    "rollout": lambda m, d: physics.rollout(m, np.zeros(physics.state_size(m, physics.StateBit.FULLPHYSICS)), nstep=3, nthread=2),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_function_refuses_and_leaves_the_data(scene, name):
    m, d = scene
    m.jnt_bodyid[0], before = 10_000, {n: np.array(getattr(d, n)) for n in d.layout.arrays if n not in ("qLD", "qLDiagInv")}
    with pytest.raises(physics.FieldError, match=r"jnt_bodyid.*\[0\] is 10000") as caught:
        CALLS[name](m, d)
    assert caught.value.issues[0].path == "jnt_bodyid" and "m.jnt_bodyid" in str(caught.value) and "Write numbers that fit" in str(caught.value)
    assert all(np.array_equal(before[n], getattr(d, n), equal_nan=getattr(d, n).dtype.kind == "f") for n in before)


def test_a_mended_number_lets_it_go_on_as_if_nothing_had_been(scene):
    m, d = scene
    other = d.copy()
    for field, wrong in (("geom_dataid", 99), ("jnt_type", 7), ("opt_cone", 5), ("wrap_prm", 1e9), ("sensor_objid", -5), ("jnt_limited", True)):
        values = getattr(m, field)
        before = values if isinstance(values, int) else values.copy()
        if isinstance(values, int):
            setattr(m, field, wrong)
        else:
            values[...] = wrong
        if field != "jnt_limited":
            with pytest.raises(physics.FieldError, match=field):
                physics.step(m, d)
        setattr(m, field, before)
    physics.step(m, d, 5)
    physics.step(m, other, 5)
    assert np.array_equal(d.qpos, other.qpos) and not m.writes.fields


def test_a_kernel_called_by_itself_finds_no_address(scene):
    m, d = scene
    m.geom_bodyid[0] = 99
    with pytest.raises(Exception, match="FieldError.*geom_bodyid|geom_bodyid"):
        forward.evaluate(m, d, 0, 1)
    m.geom_bodyid[0] = 0
    assert forward.evaluate(m, d, 0, 1) == 1


def test_what_rows_are_made_of_is_forgotten_with_the_structure(scene):
    m, d = scene
    physics.forward(m, d)
    assert d.ne > 0
    held = m.eq_active0[:1].copy()
    m.eq_active0[0] = not held[0]   # no other rule reads it
    physics.rne_post_constraint(m, d)
    assert d.ne > 0
    m.eq_type[0] = m.eq_type[0]
    physics.rne_post_constraint(m, d)
    assert d.ne == d.nefc == d.ncon == 0 and not d.ten_wrapnum.any()
    physics.forward(m, d)
    assert d.ne > 0


FORGET = """
from tests.long.fenced import fence
fence("end")
import physics
physics.compile_kernels()
m = physics.load_string({pile!r})
d = physics.Data(m)
for k in range(60):
    physics.step(m, d, 3)
    m.geom_type[1] = m.geom_type[1]
    physics.step(m, d)
assert d.ncon > 4
"""
PILE = """<mujoco><worldbody><geom type="plane" size="3 3 .1"/>""" + "".join(
    f'<body pos="{.15 * (k % 3)} 0 {.1 + .19 * (k // 3)}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for k in range(6)) + "</worldbody></mujoco>"


def test_forgetting_leaves_no_plan_of_what_was_forgotten():
    """A plan of the solver that was kept for islands which are no longer counted made it write outside its arrays: they lie between unreadable pages here."""
    done = subprocess.run([sys.executable, "-c", FORGET.format(pile=PILE)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.returncode} {done.stderr[-1000:]}"


def test_a_callback_cannot_write_them(scene):
    m, d = scene
    time = d.time

    def control(m, d):
        m.geom_condim[0] = 6

    d.set_callback("cb_control", control)
    with pytest.raises(ValueError, match="by a callback"):
        physics.step(m, d)
    assert d.time == time and not m.writes.fields
    d.set_callback("cb_control", lambda m, d: m.geom_contype.__setitem__(0, 1))
    assert physics.step(m, d) == 1
    m.geom_condim[0] = 3


def test_rollouts_on_threads_with_numbers_written_between(scene):
    m, d = scene
    start = [_full(m, d)] * 4
    first = physics.rollout(m, start, nstep=5, nthread=4)
    m.jnt_limited[:] = m.jnt_limited
    m.geom_bodyid[:] = m.geom_bodyid
    assert np.array_equal(physics.rollout(m, start, nstep=5, nthread=2).states, first.states)


def test_two_threads_may_ask_at_once(scene):
    m, _d = scene
    m.geom_bodyid[:] = m.geom_bodyid
    threads = [threading.Thread(target=m.check_written) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not m.writes.fields and physics.step(m, physics.Data(m)) == 1


class Spy:
    """A Model that notes which fields are read."""

    def __init__(self, m):
        self.__dict__.update(model=m, seen=set())

    def __getattr__(self, name):
        self.seen.add(name)
        return getattr(self.model, name)


def test_of_fields_checked_alone_no_other_rule_reads(models):
    seen = set()
    for m in models:
        spy = Spy(m)
        for group in (lwb_validate._runs, lwb_validate._paths, lwb_validate._actuators, lwb_validate._objects, lwb_validate._derived, lwb_validate._meshes,
                      lwb_validate._collision):
            list(group(spy))
        seen |= spy.seen
    assert not seen & (ALONE - SEEN_BY_ENGINE) and seen > {"geom_type", "eq_obj1id", "mesh_graph"}
    assert {INDEX_RULES[field].rule for field in ALONE} == {"index", "member", "between"} and not any(any_number(INDEX_RULES[field]) for field in ALONE)
    assert {spot.dims[0] for name, spot in physics.Model.layout.arrays.items() if name in ALONE}.isdisjoint({"nv"})
