"""What the dialect 2.3 changes: limits, multiccd, and how margins and gaps of two geoms combine."""
import numpy as np
import pytest

from physics import Data, ModelError, compile_root, ensure_kernels, fwd_position, load, load_string, save, to_mjcf
from physics.compiler.derived.collision_pairs import candidate_pairs, collidable
from physics.enums import DSBL_MULTICCD
from physics.mjcf.reader import read_text
from tests.oracle.corpus import require_corpus
from tests.physics.compiler.compared import accepted

JOINT = '<mujoco>{}<worldbody><body><joint name="j" range="-30 30"/><geom size=".1"/></body></worldbody>{}</mujoco>'
MARK = '<custom><text name="linkwork_compat" data="2.3"/></custom>'


def scene(*geoms: str, before: str = "", after: str = "") -> str:
    bodies = "".join(f'<body><freejoint/><geom name="g{i}" size=".1" {text}/></body>' for i, text in enumerate(geoms))
    return f'<mujoco>{before}<worldbody><geom name="floor" type="plane" size="1 1 1"/>{bodies}</worldbody>{after}</mujoco>'


def test_the_dialect_comes_from_the_caller_or_the_file(tmp_path):
    assert load_string(JOINT.format("", "")).compat == "4.0"
    assert load_string(JOINT.format("", ""), compat="2.3").compat == "2.3"
    path = tmp_path / "m.xml"
    path.write_text(JOINT.format(MARK, ""))
    assert load(path).compat == load(path, compat="4.0").compat == "2.3"
    with pytest.raises(ModelError, match="no dialect '3'.*one of 4.0, 2.3"):
        load_string(JOINT.format("", ""), compat="3")


def test_a_range_without_limited_counts_for_nothing_and_is_reported():
    result = read_text(JOINT.format("", ""))
    model = compile_root(result, compat="2.3")
    assert not model.jnt_limited.any() and load_string(JOINT.format("", "")).jnt_limited.all()
    (issue,) = [issue for issue in result.issues if issue.severity == "warning"]
    assert "autolimits was off in 2.3" in issue.what and 'limited="true"' in issue.hint and "joint[j]" in issue.path


@pytest.mark.parametrize(("before", "joint", "limited"), [
    ('<compiler autolimits="true"/>', "", True), ('<compiler autolimits="false"/>', "", False), ("", 'limited="true"', True), ("", 'limited="false"', False),
])
def test_what_the_file_says_of_limits_counts(before, joint, limited):
    assert load_string(JOINT.format(before, "").replace("<joint ", f"<joint {joint} "), compat="2.3").jnt_limited.all() == limited


def test_ranges_of_tendons_and_actuators_follow():
    more = """<tendon><fixed name="t" range="0 1"><joint joint="j" coef="1"/></fixed></tendon>
      <actuator><motor joint="j" ctrlrange="-1 1" forcerange="0 1"/></actuator>"""
    old, new = load_string(JOINT.format("", more), compat="2.3"), load_string(JOINT.format("", more))
    for field in ("tendon_limited", "actuator_ctrllimited", "actuator_forcelimited"):
        assert not getattr(old, field).any() and getattr(new, field).all()


def test_multiccd_is_off_unless_asked_for():
    assert not load_string(JOINT.format("", "")).opt_disableflags & DSBL_MULTICCD
    assert load_string(JOINT.format("", ""), compat="2.3").opt_disableflags & DSBL_MULTICCD
    asked = JOINT.format('<option><flag multiccd="enable" gravity="disable"/></option>', "")
    assert not load_string(asked, compat="2.3").opt_disableflags & DSBL_MULTICCD


def old_rule(text: str) -> None:
    """Every pair of geoms that can meet has, in sums, the reach and push distance that 2.3 got from maxima."""
    plain, old = load_string(text), load_string(text, compat="2.3")
    assert not any("margins" in issue.what for issue in old.view_only)
    can, moving = collidable(plain)
    one, two, _ = candidate_pairs(plain, moving, can)
    assert len(one)
    margin, gap = (np.maximum(value[one], value[two]) for value in (plain.geom_margin, plain.geom_gap))
    push = old.geom_margin[one] + old.geom_margin[two]
    reach = push + old.geom_gap[one] + old.geom_gap[two]
    assert np.allclose(reach, margin, rtol=0, atol=1e-15) and np.allclose(push, margin - gap, rtol=0, atol=1e-15)


@pytest.mark.parametrize("text", [
    scene('margin=".03"'), scene('margin=".03" gap=".01"'),
    scene('margin=".03" gap=".01"', 'margin=".03" gap=".01"', before='<default><geom margin=".03" gap=".01"/></default>'),
    scene("", "", "").replace('name="floor"', 'name="floor" margin=".05" gap=".02"').replace('size=".1"', 'size=".1" contype="0"'),
    scene('margin=".01"', 'margin=".03"', after='<contact><exclude body1="a" body2="b"/></contact>').replace(
        "<body><freejoint/><geom name=\"g0\"", '<body name="a"><freejoint/><geom name="g0"').replace(
        "<body><freejoint/><geom name=\"g1\"", '<body name="b"><freejoint/><geom name="g1"'),
    scene("", ""),
])
def test_margins_are_converted_exactly_where_sums_can_say_it(text):
    old_rule(text)


def test_where_sums_cannot_say_it_the_engine_follows_the_old_rule(tmp_path):
    pair = '<contact><pair geom1="g0" geom2="floor" margin=".05" gap=".02"/></contact>'
    text = scene('margin=".01"', 'margin=".03" gap=".015"', 'margin=".02"', after=pair)
    old, plain = load_string(text, compat="2.3"), load_string(text)
    assert (old.flg_maxmargin, plain.flg_maxmargin, load_string(scene('margin=".02"', after=pair), compat="2.3").flg_maxmargin) == (1, 0, 0)
    for ending in ("lwb", "xml"):
        save(old, tmp_path / f"m.{ending}")
        again = load(tmp_path / f"m.{ending}")
        save(again, tmp_path / "twice.xml")
        assert (tmp_path / "twice.xml").read_text().count("linkwork_margins") == 1
        for model in (old, again):
            assert not model.view_only and model.flg_maxmargin == 1
            assert np.array_equal(model.geom_margin, plain.geom_margin) and np.array_equal(model.pair_margin, plain.pair_margin)


def test_the_official_search_on_height_fields_is_kept_by_both_ways_of_saving(tmp_path):
    text = '<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 .1 .1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    assert load_string(text).flg_hfieldvertex == 0
    official = load_string(text, compat="official")
    assert (official.flg_hfieldvertex, official.compat) == (1, "official")
    for ending in ("lwb", "xml"):
        save(official, tmp_path / f"m.{ending}")
        again = load(tmp_path / f"m.{ending}")
        save(again, tmp_path / "twice.xml")
        assert again.flg_hfieldvertex == 1 and (tmp_path / "twice.xml").read_text().count("linkwork_hfields") == 1


def contacts_of_2_3(model, data, pairs, override: float | None) -> dict:
    """(geoms) -> (reach, push distance) of balls by the rule of 2.3: the larger margin, less the larger gap."""
    found = {}
    for pair in pairs:
        g = list(pair)
        margin, gap = model.geom_margin[g].max(), model.geom_gap[g].max()
        margin = margin if override is None else override
        distance = np.linalg.norm(data.geom_xpos[g[0]] - data.geom_xpos[g[1]]) - model.geom_size[g, 0].sum()
        if distance < margin:
            found[pair] = (distance, margin - gap)
    return found


@pytest.mark.parametrize("override", [None, 0.02])
def test_balls_touch_by_the_larger_margin_and_gap(override):
    ensure_kernels()
    rng = np.random.default_rng(0)
    before = "" if override is None else f'<option o_margin="{override}"><flag override="enable"/></option>'
    geoms = [f'margin="{margin:.4f}" gap="{margin * share:.4f}"' for margin, share in zip(rng.choice([0, 0.01, 0.03, 0.08], 12), rng.choice([0, 0.3, 0.7], 12))]
    model = load_string(scene(*geoms, before=before).replace('type="plane"', 'type="plane" contype="0" conaffinity="0"'), compat="2.3")
    assert model.flg_maxmargin == 1 and not model.view_only
    data, met, listed = Data(model), 0, 0
    for _ in range(40):
        data.qpos[:] = rng.normal(size=model.nq) * 0.25
        fwd_position(model, data)
        expected = contacts_of_2_3(model, data, [(a, b) for a in range(1, 13) for b in range(a + 1, 13)], override)
        assert [tuple(pair) for pair in data.contact_geom[:data.ncon].tolist()] == sorted(expected)
        for k, pair in enumerate(sorted(expected)):
            distance, push = expected[pair]
            assert data.contact_includemargin[k] == pytest.approx(push, abs=1e-12)
            assert data.contact_exclude[k] == (distance >= push)
            listed += data.contact_exclude[k]
        met += data.ncon
    assert met > 100 and listed > 5


def test_pairs_are_converted_one_by_one():
    text = scene("", after='<contact><pair geom1="g0" geom2="floor" margin=".05" gap=".02"/></contact>')
    old = load_string(text, compat="2.3")
    assert np.allclose(old.pair_margin, 0.03) and np.allclose(old.pair_gap, 0.02)


def test_the_overriding_margin_stands_for_sums_where_there_are_no_gaps():
    override = '<option o_margin=".1"><flag override="enable"/></option>'
    assert load_string(scene('margin=".03"', before=override), compat="2.3").flg_maxmargin == 0
    assert load_string(scene('margin=".03" gap=".01"', before=override), compat="2.3").flg_maxmargin == 1
    pair = '<contact><pair geom1="g0" geom2="floor" margin=".05" gap=".02"/></contact>'
    assert load_string(scene("", before=override, after=pair), compat="2.3").flg_maxmargin == 1


def test_an_arm_of_2_3_opens_though_its_muscles_do_not_settle_as_strings_wrap_now():
    path = require_corpus() / "legacy_arm26" / "arm26.xml"
    assert not accepted(path=path)
    model = load(path)
    assert {issue.path.rpartition("[")[2] for issue in model.view_only if "side sites" in issue.what} == {"SE]", "EE]", "BE]"}
    assert (model.actuator_lengthrange[:, 0] < model.actuator_lengthrange[:, 1]).all()


MESH = ('<mujoco><compiler {compiler}/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" {mesh}/></asset>'
        '<worldbody><body><freejoint/><geom type="{type}" mesh="m" {geom}/>{more}</body></worldbody></mujoco>')
CLOSED, OPEN, EXACT = 'face="0 2 1 0 1 3 0 3 2 1 2 3"', 'face="0 2 1 0 1 3 0 3 2"', 'exactmeshinertia="true"'


@pytest.mark.parametrize(("mesh", "said"), [   # mass and moments of inertia that MuJoCo 2.3.7 gives
    ({}, (232.379001, 23.2379, 14.523688, 14.523688)), ({"mesh": CLOSED}, (232.379001, 23.2379, 14.523688, 14.523688)),
    ({"mesh": CLOSED + ' scale="1 2 3"'}, (1394.274005, 700.57759, 541.835534, 221.574581)), ({"mesh": OPEN}, (219.088899, 21.908888, 13.388763, 13.388763)),
    ({"mesh": CLOSED, "compiler": EXACT}, (166.666668, 16.666667, 10.416667, 10.416667)), ({"mesh": OPEN, "compiler": EXACT}, (111.111112, 11.11111, 6.790122, 6.790122)),
    ({"mesh": CLOSED, "type": "box"}, (232.379001, 23.2379, 14.523688, 14.523688)), ({"mesh": CLOSED, "geom": 'mass="1"'}, (1.0, 0.1, 0.0625, 0.0625)),
    ({"mesh": CLOSED, "more": '<geom type="mesh" mesh="m" pos="1 0 0" euler="10 20 30"/>'}, (464.758002, 140.999432, 128.044167, 33.477292)),
])
def test_a_mesh_weighs_what_it_weighed(mesh, said):
    """The box of equal inertia gave the volume; a hand of that time was 0.1 kg too light."""
    text = MESH.format(**{"compiler": "", "mesh": "", "type": "mesh", "geom": "", "more": "", **mesh})
    model = load_string(text, compat="2.3")
    assert [model.body_mass[1], *model.body_inertia[1]] == pytest.approx(said, rel=1e-6)


def test_a_mesh_whose_geoms_say_shellinertia_has_its_mass_in_its_triangles():
    points, geom = '0 0 0 1 0 0 0 2 0 0 0 3 1 1 1', 'shellinertia="true" pos="1 2 3" euler="10 20 30"'
    text = MESH.format(compiler="", mesh="", type="mesh", geom=geom, more="").replace("0 0 0 1 0 0 0 1 0 0 0 1", points)
    old = load_string(text, compat="2.3")
    assert np.allclose(old.body_mass[1], 10253.885867, rtol=1e-7)   # that of MuJoCo 2.3.7
    new = load_string(text.replace('shellinertia="true" ', "").replace('name="m" vertex', 'name="m" inertia="shell" vertex'))
    for field in ("body_inertia", "body_ipos", "body_iquat", "geom_pos", "geom_quat", "mesh_vert"):
        assert np.array_equal(getattr(old, field), getattr(new, field)), field
    again = load_string(to_mjcf(old))
    assert np.allclose(again.geom_pos, old.geom_pos, rtol=0, atol=1e-12) and np.array_equal(again.body_inertia, old.body_inertia)
    with pytest.raises(ModelError, match="other geoms show 'm' without shellinertia"):
        load_string(text.replace("</body>", '<geom type="mesh" mesh="m"/></body>'), compat="2.3")
    with pytest.raises(ModelError, match="takes no shellinertia"):
        load_string(text)
