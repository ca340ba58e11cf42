"""Servos of an arm of seven joints tuned to 5 Hz and damping 1 in the panel: the saved file does it, measured in the engine, and the official one compiles it."""
from math import sqrt

import mujoco
import numpy as np

import physics
from physics.model.elements import element
from physics.runtime import commands
from physics.tuning.servos.law import servo_law
from physics.tuning.servos.measures import sine_measures, step_measures
from physics.tuning.servos.reference import SineReference, StepReference
from physics.tuning.servos.response import respond
from tests.app.panels.servos.arms import LINKS, arm7
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import bring, click, write

HERTZ, ZETA = 5.0, 1.0


def press(bench, button):
    bench.wait(button.isEnabled)

    def there():
        bring(button)
        return button.visibleRegion().contains(button.rect().center())

    bench.wait(there)
    click(button)


def enter(bench, field, text):
    bench.wait(lambda: (bring(field), field.visibleRegion().contains(field.rect().center()))[1])
    write(bench, field, text)


def test_an_arm_of_seven_joints_at_five_hertz_and_damping_one(workbench, tmp_path):
    path = tmp_path / "seven.xml"
    path.write_text(arm7())
    bench = workbench(path, size=(1500, 1000))
    bench.press_key(Key.Key_4, CTRL)
    panel = bench.panel("servos")
    bench.runner.send(commands.LoadKey(0))
    m = bench.context.model
    bench.context.select_elements([element(m, "joint", m.id("joint", "elbow"))])
    bench.wait(lambda: panel.base is not None and panel.base.start.axis.name == "elbow" and np.allclose(panel.base.qpos, m.key_qpos[0]))
    enter(bench, panel.tune.hertz, "5")
    enter(bench, panel.tune.zeta, "1")
    press(bench, panel.tune.all)
    bench.wait(lambda: len(panel.tune.table.rows) == 7)
    assert len(panel.tune.table.chosen) == 7 and not panel.tune.reasons.isVisible()
    before, entries = bench.session.document.main.text, len(bench.session.document.history.entries)
    press(bench, panel.tune.write)
    bench.taken_up()
    assert len(bench.session.document.history.entries) == entries + 1
    after = bench.session.document.main.text
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: bench.session.document.main.text == before)
    bench.press_key(Key.Key_Y, CTRL)
    bench.wait(lambda: bench.session.document.main.text == after)
    bench.taken_up()
    bench.press_key(Key.Key_S, CTRL)
    bench.wait(lambda: path.read_text() == after)

    # by itself: the file, not the panel's copy
    saved = physics.load(path)
    d = physics.Data(saved)
    d.qpos[:] = saved.key_qpos[0]
    for i in range(7):
        d.ctrl[i] = servo_law(saved, d, i).hold_ctrl
    h = float(saved.opt_timestep)
    print(f"\n{'joint':12} {'kp':>8} {'kv':>8}   gain at 5 Hz, overshoot: held | all seven")
    for i, (name, *_rest) in enumerate(LINKS):
        hold, found = float(d.ctrl[i]), []
        for rest in ("locked", "real"):
            sine = respond(saved, d, i, SineReference(hold, .02, HERTZ), int(8 / HERTZ / h), rest)
            step = respond(saved, d, i, StepReference(hold, hold + .02, 5 * h), int(.8 / h), rest)
            found.append((sine_measures(sine.time, sine.reference, sine.length, HERTZ, 4 / HERTZ).gain, step_measures(step.time, step.reference, step.length).overshoot))
        print(f"{name:12} {-saved.actuator_biasprm[i, 1]:8.3f} {-saved.actuator_biasprm[i, 2]:8.4f}   {found[0][0]:.4f} {found[0][1]:.4f} | {found[1][0]:.4f} {found[1][1]:.4f}")
        assert abs(found[0][0] - sqrt(.5)) < .02 and found[0][1] < .01
        assert found[1][1] < .1
    official = mujoco.MjModel.from_xml_path(str(path))
    assert official.nu == 7 and np.allclose(official.actuator_gainprm[:, 0], saved.actuator_gainprm[:, 0]) and np.allclose(official.actuator_biasprm[:, :3], saved.actuator_biasprm[:, :3])
