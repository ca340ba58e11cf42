"""What each switch of forces and motion draws answers with: type, id and name, and the row of the legend it is drawn to, in the table and at a pixel."""
import numpy as np
import pytest

from app.bridge import ViewState, VisOptions, build_scene
from app.bridge.describe import described
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import QUANTITY_FLAGS, QUANTITY_SCALES
from app.bridge.quantities.tensions import tensions
from app.bridge.view import free_camera, view_of
from physics.runtime.snapshot import Snapshot
from render.gpu import context
from render.offscreen import Offscreen
from render.passes.probe import REACH, Probe
from render.quality import QUALITIES
from render.scene import identity, shapes
from render.scene.snapshot import Scene
from tests.app.bridge.quantities.moments import moment
from tests.app.bridge.quantities.test_pictures import EVERYTHING, STATE

SIZE = (320, 240)
CONTACTS = [(f"contact {k}", "geom 0 floor and geom 1") for k in range(4)]
SLIDER, SWING, WEIGHT, DROP, HELD, LIFTED = (("body 1 slider",), ("body 2",), ("body 3",), ("body 4",), ("body 5 held",), ("body 6",))
HINGE, LIMITED, PULLED = ("joint 1 h", "of body 2"), ("joint 2", "of body 3"), ("joint 3", "of body 4")
# switch: the beginnings of what its rows say, and the rows of the legend they belong to
ANSWERS = {
    "contact_torque": (CONTACTS, ["Contact torque"]),
    "friction_cone": (CONTACTS, ["Friction cone", "Force on it (slips)"]),
    "joint_torque": ([HINGE, PULLED], ["Actuators at joints", "Springs and dampers", "Dry friction"]),
    "joint_limit": ([HINGE, LIMITED], ["Range of a joint", "Its present value"]),
    "tendon_tension": ([], []),     # the tendons themselves in other colours
    "constraint_force": ([("equality 0", "of body 5 held")], ["Equality constraints"]),
    "external_force": ([SWING, HELD, HINGE], ["Applied to bodies", "Applied along joints", "The mouse"]),
    "linear_velocity": ([SLIDER, SWING, DROP, HELD, LIFTED], ["Velocity of bodies"]),
    "angular_velocity": ([SLIDER, SWING, HELD, LIFTED], ["Angular velocity"]),
    "momentum": ([SLIDER, SWING, DROP, HELD, LIFTED], ["Momentum of bodies", "Angular, of bodies"]),
    "gravity_compensation": ([LIFTED], ["Gravity compensation"]),
    "fluid_force": ([SLIDER, SWING, DROP, HELD, LIFTED], ["Medium, on bodies"]),
    "body_trail": ([SLIDER, SWING, WEIGHT, DROP, HELD, LIFTED], ["Trail of 6 bodies"]),
    "site_trail": ([("site 1 mark", "of body 1 slider"), ("site 2 eye", "of body 4")], ["Trail of 2 sites"]),
    "margin_shell": ([("geom 0 floor", "of the world"), ("geom 1", "of body 1 slider")], ["Margin of contacts"]),
}


@pytest.fixture(scope="module")
def stage():
    """(model, snapshots one after the other, an off-screen camera)."""
    m, d, first = moment(EVERYTHING, **{k: v if k == "ctrl" else np.array(v) for k, v in STATE.items()})
    places = [(first.xpos.copy(), first.site_xpos.copy())]
    several = []
    for k in range(4):
        later = Snapshot(m, d, 1)
        later.copy_from(d)
        later.time = 0.1 * k
        later.xpos[...], later.site_xpos[...] = places[0][0] - (0.3 - 0.1 * k, 0, 0), places[0][1] - (0.3 - 0.1 * k, 0, 0)
        several.append(later)
    shown = several[-1]
    shown.xfrc_applied[5] = (0, 0, 30, 0, 2, 0)
    shown.qfrc_applied[6] = 3.0
    shown.perturb.bodyid, shown.perturb.active = 2, 1
    shown.perturb.force[:3] = (0, -20, 0)
    with Offscreen(*SIZE, QUALITIES["low"]) as off:
        yield m, several, off


def test_every_switch_is_in_the_table():
    assert list(ANSWERS) == [flag.name for flag in QUANTITY_FLAGS]


@pytest.mark.parametrize("name", ANSWERS)
def test_every_row_of_a_switch_answers(stage, name):
    m, several, off = stage
    options, state, scene, view = VisOptions(), ViewState(), Scene(), view_of(m, several[-1], free_camera(m))
    options[name] = True
    for snapshot in several:
        build_scene(ModelVisuals(m), snapshot, options, scene, state)
    wanted, legends = ANSWERS[name]
    told, rows = identity.table(scene), identity.legend_rows(scene)
    plain = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene())
    first = identity.first_line(scene)
    drawn = [*range(plain.geoms.n, scene.geoms.n), *range(first + plain.lines.n, first + scene.lines.n)]
    assert set(drawn) == set(np.flatnonzero(rows >= 0))
    said = {i: described(m, snapshot, *map(int, told[i])) for i in drawn}
    assert {tuple(lines[:2]) for lines in said.values()} == set(wanted)
    assert legends is None or {scene.legend[rows[i]].what for i in drawn} == set(legends)
    assert all(row.switch == name for row in scene.legend)
    segments = off.segments(scene, view)
    with context.use(off.ctx):
        probe = Probe(off.renderer)
        for thing in {tuple(told[i]) for i in drawn}:
            y, x = np.nonzero(np.isin(segments, [i for i in drawn if tuple(told[i]) == thing]))
            if len(y) < 4:
                continue    # hidden here
            k = len(y) // 2
            near = segments[max(0, y[k] - REACH):y[k] + REACH + 1, max(0, x[k] - REACH):x[k] + REACH + 1]
            lines = {tuple(told[i]) for i in near[near >= first]}
            probe.ask(scene, view, SIZE, x[k] + 0.5, y[k] + 0.5)
            found = probe.answer()
            assert (found.objtype, found.objid, found.bodyid) in lines | {thing}      # a line close by goes first
            assert found.legend is not None and found.legend.switch == name
        probe.release()


def test_marks_tell_how_much_they_stand_for(stage):
    m, several, off = stage
    options, state, scene, snapshot = VisOptions(), ViewState(), Scene(), several[-1]
    options["gravity_compensation"] = options["angular_velocity"] = options["tendon_tension"] = True
    build_scene(ModelVisuals(m), snapshot, options, scene, state)
    g = scene.geoms
    amount, quantity = identity.amounts(scene)
    by = {name: set(g.objid[geoms[0]:geoms[1]]) for name, geoms, _ in scene.origins}
    for name, kind, wanted in (("gravity_compensation", "force", {6: 0.8 * m.body_mass[6] * 9.81}),
                               ("angular_velocity", "turning speed", {int(b): np.linalg.norm(snapshot.cvel[b, :3]) for b in by["angular_velocity"]})):
        start, end = next(origin.geoms for origin in scene.origins if origin.switch == name)
        for i in range(start, end):
            assert QUANTITY_SCALES[quantity[i]] == kind and amount[i] == pytest.approx(wanted[g.objid[i]], rel=1e-5)
    rope = np.flatnonzero(g.view("objtype") == shapes.OBJ_TENDON)
    assert len(rope) and set(quantity[rope]) == {QUANTITY_SCALES.index("tension")} and amount[rope] == pytest.approx(tensions(m, snapshot)[0], rel=1e-5)
    assert (quantity[:rope[0]] == -1).all()
