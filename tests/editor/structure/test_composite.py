"""Composites of settings: what is written compiles to what was asked for, by the official compiler too where it knows the kind, and nothing else of the text changes."""
from dataclasses import replace

import numpy as np
import pytest

from editor.structure.composite import FORMS, KINDS, CompositeSettings, composite, holders, proposed, why_no_composite
from editor.structure.draft import Refusal
from editor.structure.inlining.composites import inline_composite
from editor.structure.trial import summary, trial
from editor.tree.composite_dialog import OF_THE_PAST
from physics.rotation.quaternion import matrix
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one

TEXT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>   <!-- stays -->
    <body name="arm" pos="0 0 2">
      <freejoint/>
      <geom size=".1"/>
      <frame name="mount"><site name="s"/></frame>
    </body>
  </worldbody>
  <keyframe>
    <key name="k" qpos="0 0 3 1 0 0 0"/>
  </keyframe>
</mujoco>
"""


def made(settings: CompositeSettings, text: str = TEXT, tag: str = "worldbody", name: str | None = None):
    """(version before, version after, Model after)."""
    version = of(text)
    now = after(version, composite(version, one(version, tag, name), settings))
    return version, now, compiled(now)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proposed_compiles(kind):
    version = of(TEXT)
    for parent in (one(version, "worldbody"), one(version, "body"), one(version, "frame")):
        settings = proposed(version, kind, parent)
        assert not why_no_composite(version, parent, settings)
        now = after(version, composite(version, parent, settings))
        m, before = compiled(now), compiled(version)
        x, y, z = settings.count
        cells = {"cable": x - 1, "rope": x, "loop": x, "cloth": x * y, "grid": x * y, "particle": x * y * z}.get(kind, x * y * z - (x - 2) * (y - 2) * (z - 2) + 1)
        assert m.nbody - before.nbody == cells
        assert m.nkey == 1 and len(m.key_qpos[0]) == m.nq and list(m.key_qpos[0][:3]) == [0, 0, 3]     # keyframes follow
        tree = composite(version, parent, settings).edit
        assert len(tree.files) == 1 and "<composite " in now.texts[now.main] and f'prefix="{kind}_"' in now.texts[now.main]


@pytest.mark.parametrize("kind", KINDS)
def test_every_setting_that_a_kind_reads_compiles(kind):
    version, start = of(TEXT), KINDS[kind].start
    for shape in KINDS[kind].shapes:
        made(replace(start, shape=shape, size=(0.01, 0.02, 0.01), rgba=(1, 0, 0, 1), density=500.0, friction=0.4, contacts=False))
    for name in KINDS[kind].reads & {"damping", "stiffness", "armature", "frictionloss"}:
        _version, _now, m = made(replace(start, **{name: 0.25}))
        field = {"damping": m.dof_damping, "stiffness": m.jnt_stiffness, "armature": m.dof_armature, "frictionloss": m.dof_frictionloss}[name]
        assert (np.asarray(field) == 0.25).any(), name
    for name in KINDS[kind].reads & {"twist", "stretch", "shear", "skin"}:
        before, now = made(start)[2], made(replace(start, **{name: True}))[2]
        assert {"twist": now.njnt > before.njnt, "stretch": now.njnt > before.njnt, "shear": now.ntendon > before.ntendon, "skin": now.nskin == before.nskin + 1}[name], name
    if "root" in KINDS[kind].reads:
        dofs = {root: made(replace(start, root=root))[2].nv for root in ("free", "ball", "none")}
        assert dofs["free"] == dofs["none"] + 6 and dofs["ball"] == dofs["none"] + 3
    assert why_no_composite(version, one(version, "geom"), start) and why_no_composite(version, 10**9, start)


@pytest.mark.parametrize("form", FORMS)
def test_a_cable_follows_its_form(form):
    points = (0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0.1, 0.1, 0.3)
    settings = CompositeSettings(form=form, count=(9, 1, 1), length=0.8, radius=0.3, halfturns=1.5, points=points, offset=(0, 0, 1), prefix="c")
    version, now, m = made(settings)
    first = m.id("body", "cB_first")
    assert m.nbody - compiled(version).nbody == (3 if form == "points" else 8)
    along = {"line x": 0, "line y": 1, "line z": 2}.get(form)
    if along is not None:
        turn = np.reshape(matrix(tuple(m.body_quat[first])), (3, 3))
        assert np.allclose(turn[:, 0], np.eye(3)[along], atol=1e-6) and np.allclose(m.body_pos[m.id("body", "cB_1")], (0.1, 0, 0), atol=1e-6)
    if form == "points":
        assert np.allclose(m.body_pos[m.id("body", "cB_last")], (0.1, 0, 0), atol=1e-6)


CABLES = (CompositeSettings(prefix="a", damping=0.01, stiffness=0.2, root="free", offset=(0, 0, 1)), CompositeSettings(prefix="b", form="helix", shape="cylinder", root="ball", rgba=(0, 1, 0, 1)),
          CompositeSettings(prefix="c", form="points", points=(0, 0, 0, 0.1, 0, 0, 0.2, 0.1, 0)), CompositeSettings(prefix="d", shape="box", size=(0.01, 0.02, 0.005), count=(5, 1, 1), friction=0.5))


@pytest.mark.parametrize("settings", [*CABLES, *(replace(row.start, prefix="p") for name, row in KINDS.items() if name != "cable"), replace(KINDS["cloth"].start, prefix="q", shear=True, skin=True)],
                         ids=lambda settings: f"{settings.kind}-{settings.prefix}")
def test_written_out_it_is_the_same_model_also_officially(settings, tmp_path):
    mujoco = pytest.importorskip("mujoco")
    _version, short, m = made(settings)
    _version, long, other = made(replace(settings, plain=True))
    assert "<composite" not in long.texts[long.main] and "<composite" in short.texts[short.main]
    same(m, other)
    inner = after(short, inline_composite(short, one(short, "composite")))
    same(m, compiled(inner))
    agrees_officially(long, mujoco, tmp_path)
    with pytest.raises(ValueError, match="composite"):
        mujoco.MjModel.from_xml_string(short.texts[short.main])      # there are none in MuJoCo 4


def same(a, b) -> None:
    """Two Models agree in all that bodies, joints and geoms are, and in how many constraints there are."""
    assert a.names["body"] == b.names["body"] and a.names["joint"] == b.names["joint"] and a.names["geom"] == b.names["geom"]
    for name in ("body_pos", "body_quat", "body_mass", "body_inertia", "geom_size", "geom_pos", "geom_group", "geom_contype", "jnt_type", "jnt_axis", "dof_damping", "key_qpos"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert (a.neq, a.ntendon, a.nexclude, a.nskin, a.nsite) == (b.neq, b.ntendon, b.nexclude, b.nskin, b.nsite)


def test_too_deep_chains_and_other_things_are_not_written_out():
    version, now, _m = made(CompositeSettings(prefix="c", count=(400, 1, 1), length=10))
    with pytest.raises(Refusal, match="one in another"):
        inline_composite(now, one(now, "composite"))
    with pytest.raises(Refusal, match="not a composite"):
        inline_composite(now, one(now, "geom"))


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["  ", "\t", "     "])
def test_only_lines_are_added_indented_as_their_neighbours(ends, indent):
    text = TEXT.replace("  ", indent).replace("\n", ends).replace("stays", "stays \u2192 \u00e9")
    for tag, depth in (("worldbody", 2), ("body", 3)):
        version, now, _m = made(CompositeSettings(prefix="c", damping=0.01), text, tag)
        old, new = (v.texts["/m/main.xml"].split(ends) for v in (version, now))
        added = [line for line in new if line not in old and "qpos" not in line]
        assert [line for line in new if line not in added and "qpos" not in line] == [line for line in old if "qpos" not in line]
        assert added[0].startswith(indent * depth + "<composite ") and added[-1] == indent * depth + "</composite>" and added[1].startswith(indent * (depth + 1) + "<joint ")
        assert now.texts["/m/main.xml"].count("\r\n") == (now.texts["/m/main.xml"].count("\n") if ends == "\r\n" else 0)


@pytest.mark.parametrize("plain", [False, True])
def test_written_out_it_is_indented_as_the_text(plain):
    text = TEXT.replace("  ", "\t")
    version = of(text)
    now = after(version, composite(version, one(version, "worldbody"), replace(KINDS["cloth"].start, count=(3, 3, 1), prefix="c", plain=plain)))
    if not plain:
        now = after(now, inline_composite(now, one(now, "composite")))
    added = [line for line in now.texts["/m/main.xml"].split("\n") if line not in text.split("\n")]
    assert len(added) > 20 and not any(line.lstrip("\t").startswith(" ") for line in added), added


def test_names_stay_apart():
    version = of(TEXT)
    world = one(version, "worldbody")
    for prefix in ("cable_", "cable2_", "cable3_"):
        settings = proposed(version, "cable", world)
        assert settings.prefix == prefix
        version = after(version, composite(version, world, replace(settings, prefix="") if prefix == "cable3_" else settings))
    assert compiled(version).nbody == 2 + 3 * 20


def test_what_cannot_be_is_refused_in_words():
    version = of(TEXT)
    world, arm, floor = one(version, "worldbody"), one(version, "body"), one(version, "geom", "floor")
    for parent, settings, words in ((floor, CompositeSettings(), "cannot stand in <geom>"), (arm, CompositeSettings(root="free"), "free joint"), (arm, replace(KINDS["box"].start), "free joint"),
                                    (world, CompositeSettings(count=(1, 1, 1)), "two points"), (world, CompositeSettings(form="points", points=(0, 0, 0, 1)), "three numbers"),
                                    (world, CompositeSettings(shape="ellipsoid"), "geoms of a cable"), (world, CompositeSettings(prefix='a"b'), "prefix"), (world, CompositeSettings(kind="tree"), "no composite"),
                                    (world, CompositeSettings(length=float("nan")), "finite"), (world, replace(KINDS["grid"].start, pins=((9, 9),)), "pin")):
        with pytest.raises(Refusal, match=words):
            composite(version, parent, settings)
    assert [(e.name or e.tag, depth) for e, depth in holders(version)] == [("worldbody", 0), ("arm", 1), ("mount", 2)]
    assert holders(of("<mujoco/>")) == []


def test_a_trial_counts_what_comes_and_tells_what_is_wrong():
    version = of(TEXT)
    world = one(version, "worldbody")
    found = trial(version, composite(version, world, CompositeSettings(prefix="c", count=(6, 1, 1), root="free")))
    assert summary(found.model, found.made) == "5 bodies, 5 joints (18 dofs), 5 geoms, 2 sites" and [issue.what for issue in found.problems] == [OF_THE_PAST]
    rope = trial(version, composite(version, world, replace(KINDS["rope"].start, root="free")))
    assert summary(rope.model, rope.made) == "11 bodies, 21 joints (26 dofs), 11 geoms"
    twice = after(version, composite(version, world, CompositeSettings(prefix="c")))
    wrong = trial(twice, composite(twice, one(twice, "worldbody"), CompositeSettings(prefix="c")))
    assert wrong.model is None and any("cB_first" in issue.what for issue in wrong.problems)
    close = trial(version, composite(version, world, replace(KINDS["grid"].start, spacing=0.001)))
    assert close.model is None and "spacing" in close.problems[0].what
