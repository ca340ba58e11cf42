"""Edits of parameters reach the Model that runs without a compile: the picture changes, the run goes on, and a compile after a pause finds the same numbers."""
import numpy as np
import pytest

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit, Patch
from physics.compiler.live import kept
from physics.mjcf import reader
from physics.runtime import commands

MODEL = """<mujoco>
  <option gravity="0 0 -1"/>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".2 .2 .2 1"/>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".1"/><geom name="arm" class="red" type="capsule" size=".1" fromto="0 0 0 .5 0 0"/></body>
    <body name="ball" pos="1 0 1"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="shoulder" ctrlrange="-1 1"/></actuator>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    made = workbench(tmp_path / "m.xml", size=(700, 420), running=True)
    made.wait(lambda: made.session.live.model is made.context.model)
    return made


def element(bench, tag: str, name: str = ""):
    version = bench.session.document.version()
    return next(found for found in version.root.walk() if found.tag == tag and (not name or found.name == name))


def change(bench, tag: str, name: str, **values) -> Edit:
    found = element(bench, tag, name)
    text = bench.session.document.files()[found.origin.file].text
    return Edit(f"Change {', '.join(values)}", attribute_patches(text, found, values))


def verified(bench) -> None:
    """The compile after a pause has come to the same."""
    bench.wait(lambda: not bench.session._verify_timer.isActive() and not bench.session._compiler.busy and bench.session._untaken is None)
    assert not bench.logged("Please report this")


def test_an_edit_of_a_colour_is_seen_without_another_model(bench):
    model, generation = bench.context.model, bench.snapshot.generation
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 1 1"))
    bench.wait(lambda: model.geom_rgba[0].tolist() == [0, 0, 1, 1])
    assert bench.snapshot.running
    before = bench.snapshot.time
    bench.wait(lambda: bench.snapshot.time > before and bench.snapshot.revision.of("geom_rgba") > 0)
    verified(bench)
    assert bench.context.model is model and bench.snapshot.generation == generation
    assert bench.session.undo()
    bench.wait(lambda: np.allclose(model.geom_rgba[0], [.2, .2, .2, 1]))
    assert bench.session.redo()
    bench.wait(lambda: model.geom_rgba[0].tolist() == [0, 0, 1, 1])
    verified(bench)
    assert bench.context.model is model


def test_another_file_may_be_opened_while_an_edit_is_looked_at(bench, monkeypatch):
    """Whose Model is in force changes within that look."""
    kept_of, live = [], bench.session.live
    real = live.verified

    def other_file_comes(*given):
        found = real(*given)
        live.started(None, None)
        return found

    monkeypatch.setattr(live, "verified", other_file_comes)
    monkeypatch.setattr(bench.session, "keep_model", lambda model, texts: kept_of.append(model))
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 1 1"))
    bench.wait(lambda: live.model is None)
    verified(bench)
    assert kept_of == [bench.context.model]


def test_a_class_changes_what_it_is_for(bench):
    model = bench.context.model
    found = next(one for one in bench.session.document.version().root.walk() if one.tag == "geom" and one.attrs.get("rgba") == "1 0 0 1")
    text = bench.session.document.main.text
    bench.session.edit(Edit("class", attribute_patches(text, found, {"rgba": "0 1 0 1"})))
    bench.wait(lambda: model.geom_rgba[model.id("geom", "arm")].tolist() == [0, 1, 0, 1])
    verified(bench)
    assert bench.context.model is model


def test_a_shape_changes_with_its_inertia(bench):
    model, mass = bench.context.model, float(bench.context.model.body_mass[1])
    bench.session.edit(change(bench, "geom", "arm", size=".2"))
    bench.wait(lambda: model.geom_size[1, 0] == .2 and bench.snapshot.revision.of("body_mass") > 0)
    assert model.body_mass[1] > 2 * mass
    verified(bench)
    assert bench.context.model is model


def test_structure_is_compiled_and_the_state_goes_on(bench):
    model = bench.context.model
    bench.session.edit(change(bench, "geom", "arm", contype="2"))
    bench.wait(lambda: bench.context.model is not model and bench.snapshot.model is bench.context.model)
    assert bench.context.model.geom_contype[1] == 2 and bench.snapshot.time > 0 and bench.session.live.model is bench.context.model


def test_a_gesture_is_seen_motion_by_motion_and_marked_once(bench):
    model = bench.context.model
    marks = len(bench.snapshot.history_marks)
    gesture, seen = bench.session.gesture(), []
    for k in range(1, 8):
        found = element(bench, "geom", "arm")
        radius = .1 + .01 * k
        text = gesture.texts[found.origin.file]
        old = text.index('size=".1" fromto') + len('size="')
        bench.session.show(gesture, Edit("Drag", (Patch(found.origin.file, old, old + 2, f"{radius:.2f}"),)))
        bench.wait(lambda radius=radius: abs(model.geom_size[1, 0] - radius) < 1e-9 and float(model.geom_rbound[1]) not in seen)      # one is written after the other
        seen.append(float(model.geom_rbound[1]))
    bench.session.end(gesture)
    assert seen == sorted(seen) and len(set(seen)) == 7
    bench.wait(lambda: len(bench.snapshot.history_marks) == marks + 1 and bench.snapshot.history_marks[-1].text == "Drag")
    verified(bench)
    assert bench.context.model is model


def test_a_drag_reads_no_text(bench, monkeypatch):
    model, reads, real = bench.context.model, [], reader.read_text
    bench.session.document.version()
    monkeypatch.setattr(reader, "read_text", lambda *arguments, **options: reads.append(arguments[0]) or real(*arguments, **options))
    gesture = bench.session.gesture()
    arm = element(bench, "geom", "arm")
    for k in range(1, 6):
        for name, text, field in (("rgba", f"0 0 .{k} 1", "geom_rgba"), ("size", f".1{k}", "geom_size")):
            before = bench.snapshot.revision.of(field)
            bench.session.show(gesture, Edit("Drag", attribute_patches(gesture.texts[arm.origin.file], arm, {name: text})))
            bench.wait(lambda field=field, before=before: bench.snapshot.revision.of(field) > before)
    bench.session.end(gesture)
    assert not reads
    verified(bench)
    assert bench.context.model is model


def test_a_gesture_that_is_given_up_leaves_the_model_as_it_was(bench):
    model = bench.context.model
    gesture = bench.session.gesture()
    bench.session.show(gesture, change(bench, "joint", "shoulder", damping="3"))
    bench.wait(lambda: model.dof_damping[0] == 3)
    bench.session.cancel(gesture)
    bench.wait(lambda: model.dof_damping[0] == .1)
    verified(bench)


def test_what_was_set_in_the_window_goes_on_unless_the_text_changes_it(bench):
    model = bench.context.model
    bench.runner.send(commands.SetField("geom_rgba", (1, 1, 0, 1), 0))
    bench.wait(lambda: model.geom_rgba[0].tolist() == [1, 1, 0, 1])
    bench.session.edit(change(bench, "geom", "floor", friction=".5"))
    bench.wait(lambda: model.geom_friction[0, 0] == .5)
    bench.wait(lambda: len(bench.snapshot.changed_values) == 1)
    assert model.geom_rgba[0].tolist() == [1, 1, 0, 1]
    verified(bench)
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 1 1"))
    bench.wait(lambda: bench.snapshot.changed_values == () and model.geom_rgba[0].tolist() == [0, 0, 1, 1])
    bench.wait(lambda: bench.logged("the text says 0 0 1 1 now"))
    verified(bench)


def test_another_start_state_leaves_the_present_one(bench):
    model, pos = bench.context.model, bench.snapshot.qpos.copy()
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    pos = bench.snapshot.qpos.copy()
    bench.session.edit(change(bench, "body", "ball", pos="1 0 2"))
    bench.wait(lambda: model.qpos0[3] == 2)
    bench.wait(lambda: bench.logged("start state"))
    assert np.array_equal(bench.snapshot.qpos, pos)
    verified(bench)


def test_broken_text_is_told_and_the_model_runs_on(bench):
    model = bench.context.model
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 x 1"))
    bench.wait(lambda: bench.session.issues)
    assert bench.context.model is model
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 1 1"))
    bench.wait(lambda: model.geom_rgba[0].tolist() == [0, 0, 1, 1] or bench.context.model is not model)
    bench.wait(lambda: not bench.session.issues)


def test_a_difference_is_told_and_the_compiled_model_runs(bench, monkeypatch):
    model = bench.context.model

    real = kept.reread
    def wrong(*arguments):
        found = real(*arguments)
        return None if found is None else tuple(one._replace(values=one.values * 0.5) for one in found)
    monkeypatch.setattr(kept, "reread", wrong)
    bench.session.edit(change(bench, "geom", "floor", rgba="0 0 1 1"))
    bench.wait(lambda: bench.context.model is not model)
    assert bench.logged("Please report this") and bench.logged("geom_rgba") and bench.context.model.geom_rgba[0].tolist() == [0, 0, 1, 1]


def test_rows_of_panels_follow_a_range(bench):
    controls = bench.panel("controls")
    bench.wait(lambda: controls.filled)
    bench.session.edit(change(bench, "motor", "motor", ctrlrange="-3 3"))
    bench.wait(lambda: "-3 to 3" in controls.rows[0].toolTip() or "3" in controls.list.row(0).toolTip())
    verified(bench)


def test_a_drag_that_changes_the_structure_once_is_seen_while_it_goes_on(bench):
    """The block of the mass matrix of a ball off its body's centre is not diagonal: that motion is compiled, the next ones are written."""
    gesture, model = bench.session.gesture(), bench.context.model
    found = element(bench, "geom", "ball")
    file, at = found.origin.file, gesture.texts[found.origin.file].index('name="ball" size') + len('name="ball"')
    for k in range(1, 200):
        bench.session.show(gesture, Edit("Drag", (Patch(file, at, at, f' pos="{.001 * k:.3f} 0 0"'),)))
        bench.qtbot.wait(10)
        if bench.context.model is not model and bench.snapshot.revision.number > 1:
            break
    bench.session.end(gesture)
    assert bench.context.model is not model and bench.snapshot.revision.number > 1
    bench.wait(lambda: bench.context.model.body_ipos[2, 0] == pytest.approx(.001 * k))
    verified(bench)
