"""Motion after motion of a drag that shapes geoms: on the build that the last run of the passes left, and the same numbers as a fresh compile has, bit for bit."""
import pytest

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit
from editor.edits.version import Version
from physics.compiler.compile import compile_root
from physics.model.changes.field_changes import differences, disagreeing
from tests.physics.compiler.live.perturbed import kept_of

MODEL = """<mujoco>
  <compiler angle="radian"/>
  <default><default class="thick"><geom size=".05 .04 .03" density="500"/></default></default>
  <worldbody>
    <light name="lamp" mode="targetbodycom" target="arm" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <geom name="post" type="box" size=".1 .1 .3" pos="-1 0 0"/>
    <body name="arm" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" springdamper=".1 1"/>
      <geom name="upper" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <geom name="box" type="box" size=".05 .06 .07" pos=".1 0 .1" euler=".1 .2 .3"/>
      <geom name="shadow" type="sphere" size=".06" mass="0"/>
      <site name="tip" pos=".4 0 0"/>
      <camera name="eye" mode="trackcom" pos="0 0 1"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <frame pos="0 0 -.1" euler="0 .1 0"><geom name="in_frame" class="thick" type="ellipsoid" size=".05 .06 .2" fluidshape="ellipsoid"/></frame>
        <replicate count="3" offset="0 .1 0"><geom name="stud" size=".02" pos=".2 0 0"/></replicate>
        <site name="side" pos="0 0 .2"/>
      </body>
    </body>
    <body name="weighed" pos="2 0 1"><joint name="spin"/><inertial mass="1" pos="0 0 .1" diaginertia=".1 .1 .1"/><geom name="shell" size=".1" pos=".1 0 0"/></body>
    <body name="free" pos="1 0 1"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="stand" pos="0 2 0"><geom name="drum" type="cylinder" size=".1 .1"/><site name="far" pos="0 0 1"/></body>
  </worldbody>
  <tendon><spatial name="cord"><site site="tip"/><geom geom="drum"/><site site="far"/></spatial></tendon>
  <actuator><position name="servo" joint="shoulder" kp="5" dampratio="1"/><motor name="pull" tendon="cord"/></actuator>
  <equality><weld body1="lower" body2="world"/></equality>
</mujoco>"""


class Drag:
    """Texts of a drag, each of the first one with other attributes."""

    def __init__(self):
        self.version = Version.of({"m.xml": MODEL}, "m.xml")
        self.kept = kept_of(self.version)

    def to(self, **texts: dict):
        """The rows of a text in which geoms, by name, have other attributes."""
        patches = [patch for name, values in texts.items() for patch in attribute_patches(MODEL, self.named(name), values)]
        self.after = self.version.after(Edit("drag", tuple(sorted(patches, key=lambda patch: patch.start))))
        changed = self.kept.changed(self.after.read)
        return self.kept.rows(changed) if changed is not None else None

    def named(self, name: str):
        return next(one for one in self.version.root.walk() if one.name == name)

    def differs_from_a_compile(self, rows) -> tuple:
        return disagreeing(rows.changes, differences(self.kept.image, compile_root(self.after.read)))


@pytest.fixture
def drag():
    made = Drag()
    yield made
    made.kept.close()


@pytest.mark.parametrize("motions", [
    [dict(post=dict(size=".1 .1 .4")), dict(post=dict(size=".1 .1 .9")), dict(post=dict(size=".1 .2 .3")), dict(post=dict(size=".1 .1 .3"))],
    [dict(box=dict(size=".05 .06 .08")), dict(box=dict(size=".09 .02 .08")), dict(box=dict(size=".05 .06 .07"))],
    [dict(upper=dict(size=".06")), dict(upper=dict(size=".06"), box=dict(size=".1 .1 .1")), dict(upper=dict(size=".07"))],
    [dict(upper=dict(fromto="0 0 0 .5 0 .1")), dict(upper=dict(fromto="0 0 0 .3 .2 .1")), dict(upper=dict(fromto="0 0 0 .4 0 0"))],
    [dict(shadow=dict(size=".07")), dict(shadow=dict(size=".5")), dict(shadow=dict(size=".5", pos="0 0 -0"))],
    [dict(in_frame=dict(size=".05 .06 .1")), dict(in_frame=dict(size=".05 .05 .05")), dict(in_frame=dict(size=None))],
    [dict(stud=dict(size=".03")), dict(stud=dict(size=".04", pos=".2 0 .1")), dict(stud=dict(mass=".3"))],
    [dict(shell=dict(size=".2")), dict(shell=dict(pos="0 0 .1")), dict(shell=dict(pos="0 0 .1", quat="1 .1 0 0"))],
    [dict(ball=dict(size=".2")), dict(ball=dict(size=".3", rgba="1 0 0 1")), dict(ball=dict(density="1"))],
    [dict(floor=dict(size="3 3 .1")), dict(floor=dict(size="0 0 .1")), dict(floor=dict(size="2 1 .1"))]],
    ids=lambda motions: next(iter(motions[0])))
def test_motions_of_a_drag_are_those_of_a_compile_and_run_no_passes_again(drag, motions):
    first = drag.to(**motions[0])
    assert drag.differs_from_a_compile(first) == ()
    build = drag.kept.last.build
    for motion in motions[1:]:
        found = drag.to(**motion)
        assert drag.differs_from_a_compile(found) == ()
        assert drag.kept.last.build is build


@pytest.mark.parametrize("other", [
    dict(upper=dict(margin=".1")), dict(upper=dict(friction=".5")), dict(drum=dict(size=".2 .1")), dict(lower=dict(pos=".5 0 0")), dict(elbow=dict(armature=".1")),
    dict(upper=dict(group="7")), dict(tip=dict(pos=".3 0 0"))], ids=lambda other: next(iter(other)) + "_" + next(iter(next(iter(other.values())))))
def test_what_more_follows_from_is_left_to_another_run(drag, other):
    drag.to(box=dict(size=".1 .1 .1"))
    build = drag.kept.last.build
    found = drag.to(box=dict(size=".2 .1 .1"), **other)
    assert drag.differs_from_a_compile(found) == () and drag.kept.last.build is not build
    build = drag.kept.last.build
    found = drag.to(box=dict(size=".3 .1 .1"), **other)
    assert drag.differs_from_a_compile(found) == () and drag.kept.last.build is build


def test_after_a_motion_a_whole_run_finds_all_that_differs(drag):
    drag.to(box=dict(size=".1 .1 .1"))
    drag.to(box=dict(size=".2 .1 .1"))
    found = drag.to(box=dict(size=".1 .1 .1"), elbow=dict(armature=".1"))
    assert drag.differs_from_a_compile(found) == ()
    assert drag.differs_from_a_compile(drag.to(elbow=dict(armature=".1"))) == ()


def test_a_geom_that_is_out_of_shape_is_left_to_the_compiler_and_the_next_motion_is_right(drag):
    drag.to(box=dict(size=".1 .1 .1"))
    assert drag.to(box=dict(size=".1 -.1 .1")) is None
    assert drag.differs_from_a_compile(drag.to(box=dict(size=".2 .1 .1"))) == ()


def test_a_ball_that_is_moved_out_of_its_frame_is_left_to_the_compiler(drag):
    drag.to(ball=dict(size=".2"))
    assert drag.to(ball=dict(size=".2", pos=".1 0 0")) is None     # its block of M is not diagonal any more
    assert drag.differs_from_a_compile(drag.to(ball=dict(size=".3"))) == ()


def test_quick_rows_of_a_second_motion(drag):
    drag.to(box=dict(size=".1 .1 .1"))
    drag.to(box=dict(size=".2 .1 .1"))
    assert drag.kept.rows(drag.kept.changed(drag.after.read), quick=True).level == "P3"
    assert disagreeing(drag.kept.rows(drag.kept.changed(drag.after.read), quick=True).changes, differences(drag.kept.image, compile_root(drag.after.read))) == ()
