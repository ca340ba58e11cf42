"""The models for teleoperation do what their comments say, driven through the device layer."""
import numpy as np
import pytest

import physics
from app.inputs.mapping.mapping_file import read
from assets.locate import bundled_model
from tests.app.inputs.devices import Desk


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.compile_kernels()


def desk_of(name: str, *drives: str) -> Desk:
    mapping = read(bundled_model(f"{name}.xml").with_name(f"{name}.teleop.toml"))
    return Desk(physics.load(bundled_model(f"{name}.xml")), *(drive for drive in mapping.drives if drive.name in drives))


def test_two_arms_are_at_rest_where_their_targets_are():
    m = physics.load(bundled_model("two_arms.xml"))
    d = physics.Data(m)
    physics.step(m, d, 1000)
    physics.forward(m, d)
    for side in ("left", "right"):
        assert d.site(f"{side}_grip").xpos == pytest.approx(d.body(f"{side}_target").xpos, abs=1e-3)
    assert d.body("peg").xpos == pytest.approx([0.38, -0.2, 0.35], abs=2e-3) and d.body("cup").xpos[2] == pytest.approx(0.338, abs=2e-3)
    assert not d.warning_number.any()


def test_keys_move_a_hand_and_the_other_stays():
    desk = desk_of("two_arms", "left hand")
    right = desk.data.site("right_grip").xpos.copy()
    before = desk.data.site("left_grip").xpos.copy()
    desk.hold("keyboard", 0.5, axes={"x": 1.0})
    desk.hold("keyboard", 0.3, axes={})
    moved = desk.data.site("left_grip").xpos - before
    assert moved == pytest.approx([0.1, 0, 0], abs=0.01) and desk.data.site("right_grip").xpos == pytest.approx(right, abs=1e-3)


def test_the_peg_is_grasped_lifted_and_put_into_the_cup():
    """By the right hand's drive alone, as a person would: open, down, close, up, across, down, open."""
    desk = desk_of("two_arms", "right hand by headset")
    m, data, source = desk.runner.sim.model, desk.data, "xr:right"
    at = data.body("right_target").xpos.copy()

    def go(*to, trigger: float, seconds: float) -> None:
        nonlocal at
        start = at.copy()
        n = round(seconds / 0.01)
        for k in range(1, n + 1):
            at = start + (np.array(to) - start) * k / n
            for _ in range(5):
                desk.sample(source, kind="pose", pos=tuple(at.tolist()), quat=(1.0, 0, 0, 0), axes={"trigger": trigger}, buttons=frozenset(("squeeze",)))
                desk.turn()

    peg, cup = (0.38, -0.2), data.body("cup").xpos[:2]
    go(*at, trigger=1.0, seconds=0.05)      # past where the gripper is at first, which is closed
    go(*at, trigger=0.0, seconds=0.05)
    go(*peg, 0.5, trigger=0.0, seconds=0.6)
    go(*peg, 0.375, trigger=0.0, seconds=0.4)
    go(*peg, 0.375, trigger=1.0, seconds=0.3)
    assert data.sensor("right_touch_left").data[0] > 0.5 and data.sensor("right_touch_right").data[0] > 0.5, "both fingers feel it"
    go(*peg, 0.52, trigger=1.0, seconds=0.5)
    assert data.body("peg").xpos[2] > 0.44, "it is lifted"
    go(*cup, 0.52, trigger=1.0, seconds=1.2)
    go(*cup, 0.43, trigger=1.0, seconds=0.4)
    go(*cup, 0.43, trigger=0.0, seconds=0.3)
    go(*cup, 0.55, trigger=0.0, seconds=0.4)
    physics.forward(m, data)
    assert np.linalg.norm(data.sensor("peg_in_cup").data) < 0.03


def test_the_hand_holds_itself_up_and_closes_on_the_ball():
    m = physics.load(bundled_model("hand.xml"))
    d = physics.Data(m)
    physics.step(m, d, 500)
    assert d.body("wrist").xpos == pytest.approx([0, 0, 0.38], abs=1e-3) and np.abs(d.qpos[7:27]).max() < 0.02
    target = np.array([0.038, 0.015, 0.304])
    for k in range(100):
        d.mocap_pos[0] = [0, 0, 0.38] + (target - [0, 0, 0.38]) * (k + 1) / 100
        physics.step(m, d, 5)
    for name in ("index", "middle", "ring", "little"):
        d.actuator(f"{name}_knuckle").ctrl[:] = 1.2
        d.actuator(f"{name}_middle").ctrl[:] = 1.1
    d.actuator("thumb_opposition").ctrl[:] = 0.3
    d.actuator("thumb_base").ctrl[:] = 0.8
    d.actuator("thumb_knuckle").ctrl[:] = 0.7
    physics.step(m, d, 300)
    for k in range(200):
        d.mocap_pos[0] = target + [0, 0, 0.15 * (k + 1) / 200]
        physics.step(m, d, 5)
    physics.forward(m, d)
    assert d.body("ball").xpos[2] > 0.3, "it is lifted"
    assert sum(d.sensor(f"{name}_touch").data[0] for name in ("thumb", "index", "middle", "ring", "little")) > 0.1
    assert not d.warning_number.any()


# axis of the pad -> what it commands: speed forward and to the left [m/s], turn [rad/s]
COMMANDS = ({"lefty": -0.8}, {"lefty": 0.7}, {"leftx": -0.7}, {"leftx": 0.5, "rightx": 0.8}, {"lefty": -0.6, "rightx": -0.6})


@pytest.mark.parametrize("axes", COMMANDS, ids=str)
def test_the_quadruped_walks_by_the_sticks_for_half_a_minute(axes):
    """Forward, back, sideways and turning, on its own physics: the trunk stays up, and goes at least half as fast as it is told."""
    desk = desk_of("quadruped", "legs")
    limits, data = desk.hub._channels[0].mapping.limits, desk.data
    desk.sample("pad:0", buttons=frozenset(("start",)))     # the clutch is a toggle
    desk.turn()
    told = np.array([-axes.get("lefty", 0.0) * limits.speed, -axes.get("leftx", 0.0) * limits.speed, -axes.get("rightx", 0.0) * limits.turn])
    ways, lowest, flattest = [], np.inf, np.inf
    for k in range(3000):       # 30 s, a turn of the hub every 10 ms
        desk.sample("pad:0", axes=axes)
        desk.hub.turn(desk.now, 0.01)
        desk.now += 0.01
        desk.runner.step(5)
        if k >= 200:        # it has its speed by then
            forward, left = data.body("trunk").xmat.reshape(3, 3)[:2, 0], data.body("trunk").xmat.reshape(3, 3)[:2, 1]
            ways.append((data.qvel[:2] @ forward, data.qvel[:2] @ left, data.qvel[5]))
            lowest, flattest = min(lowest, data.body("trunk").xpos[2]), min(flattest, data.body("trunk").xmat[8])
    done = np.mean(ways, axis=0)
    assert lowest > 0.2 and flattest > 0.9, (lowest, flattest)
    for have, want in zip(done, told):
        assert have * np.sign(want) >= 0.5 * abs(want) if want else abs(have) < 0.1, (done, told)
    assert not data.warning_number.any()


def test_the_quadruped_crouches_and_stands_up_again():
    desk = desk_of("quadruped", "legs")
    desk.sample("pad:0", buttons=frozenset(("start",)))
    desk.turn()
    desk.hold("pad:0", 1.0, axes={})
    high = desk.data.body("trunk").xpos[2]
    desk.hold("pad:0", 1.0, axes={"righttrigger": 0.8})
    assert 0.1 < desk.data.body("trunk").xpos[2] < high - 0.04
    desk.hold("pad:0", 1.5, axes={})
    assert desk.data.body("trunk").xpos[2] == pytest.approx(high, abs=0.01) and desk.data.body("trunk").xmat[8] > 0.99, "it still stands"
