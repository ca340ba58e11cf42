"""Why two geoms do not touch: each test of the engine by a small model, and every pair of random scenes."""
import itertools
import tracemalloc

import mujoco
import numpy as np
import pytest

import physics
from physics.diagnostics.contact_exclusion import Check, contact_exclusion, geoms_of, nearest_geoms
from physics.diagnostics.mask_bits import bits_text
from physics.model.elements import element
from tests.physics.engine.collide.random_rules import Scene


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def model(worldbody: str, rest: str = ""):
    m = physics.load_string(f"<mujoco>{rest}<worldbody>{worldbody}</worldbody></mujoco>")
    d = physics.Data(m)
    physics.forward(m, d)
    return m, d


def two(first: str = "", second: str = "", pos: str = "0 0 .15", rest: str = "", kinds=("sphere", "sphere")):
    """Geoms a and b of free bodies A and B."""
    return model(f'<body name="A"><freejoint/><geom name="a" type="{kinds[0]}" size=".1 .1 .1" {first}/></body>'
                 f'<body name="B" pos="{pos}"><freejoint/><geom name="b" type="{kinds[1]}" size=".1 .1 .1" {second}/></body>', rest)


VIEW_ONLY = """<mujoco><extension><required plugin="p"/></extension>
<worldbody><geom type="plane" size="1 1 1"/><body><joint name="j" limited="true" range="0 1"/><geom size=".1"/></body></worldbody>
<equality><joint name="e" joint1="j"/></equality></mujoco>"""


def reasons(m, d, a="a", b="b"):
    found = contact_exclusion(m, d, a, b)
    assert found.reasons == contact_exclusion(m, d, b, a).reasons
    return [check.word for check in found.reasons]


def changed(m, check):
    """Apply what a check says would have to change."""
    for field, number, value in check.changes:
        if number < 0:
            setattr(m, field, value)
        else:
            getattr(m, field)[number] = value


def test_those_that_touch():
    m, d = two()
    found = contact_exclusion(m, d, "b", "a")
    assert found.reasons == () and found.contacts == (0,) and np.isclose(found.gap.dist, -0.05) and found.to_go == 0
    assert [check.word for check in found.checks] == ["disabled", "masks", "bodies", "asleep", "routine", "distance"]
    with pytest.raises(ValueError):
        contact_exclusion(m, d, "a", "a")


def test_contacts_are_off():
    m, d = two(rest='<option><flag contact="disable"/></option>')
    found = contact_exclusion(m, d, "a", "b")
    assert [check.word for check in found.reasons] == ["disabled"] and "contact" in found.reasons[0].text
    changed(m, found.reasons[0])
    physics.forward(m, d)
    assert d.ncon == 1


@pytest.mark.parametrize(("first", "second"), [('contype="2" conaffinity="0"', ""), ('contype="0" conaffinity="4"', 'contype="8" conaffinity="16"'),
                                               ('contype="0" conaffinity="0"', 'contype="0" conaffinity="0"'), ('contype="-2147483648" conaffinity="0"', 'contype="0"')])
def test_masks_and_the_bits_that_would_do(first, second):
    m, d = two(first, second)
    found = contact_exclusion(m, d, "a", "b")
    assert d.ncon == 0 and [check.word for check in found.reasons] == ["masks"]
    assert "conaffinity" in found.reasons[0].text and "=" in found.reasons[0].advice
    # as the advice says, in the text
    changes = {(field, number): value for field, number, value in found.reasons[0].changes}
    masks = [" ".join(f'{word}="{changes.get((f"geom_{word}", g), int(getattr(m, f"geom_{word}")[g]))}"' for word in ("contype", "conaffinity")) for g in range(2)]
    _m, d = two(*masks)
    assert d.ncon == 1


def test_bits_switched_on_while_it_runs():
    m, d = two('contype="2" conaffinity="0"')
    m.geom_conaffinity[1] |= 2
    physics.forward(m, d)
    found = contact_exclusion(m, d, "a", "b")
    assert d.ncon == 0 and [check.word for check in found.reasons] == ["masks"] and "since the model was compiled" in found.reasons[0].text
    m.body_conaffinity[2] |= 2
    physics.forward(m, d)
    assert d.ncon == 1 and reasons(m, d) == []


def test_words_of_masks():
    assert bits_text(0) == "0 (no bit)" and bits_text(5) == "5 (bits 0, 2)" and bits_text(-1) == "all bits" and bits_text(-2147483648) == "2147483648 (bit 31)"


CHAIN = """<body name="A"><freejoint/><geom name="a" size=".1"/><geom name="twin" size=".1"/>
             <body name="fixed" pos="0 0 .1"><geom name="welded" size=".1"/>
               <body name="B" pos="0 0 .05"><joint axis="1 0 0"/><geom name="b" size=".1"/>
                 <body name="C" pos="0 0 .04"><joint axis="0 1 0"/><geom name="c" size=".1"/></body></body></body></body>"""


@pytest.mark.parametrize(("first", "second", "word", "part"), [
    ("a", "twin", "same body", "body A"), ("a", "welded", "welded", "Body fixed is fixed to body A: there is no joint between them"),
    ("a", "b", "parent", "by way of"), ("b", "c", "parent", "hangs on body B"),
])
def test_bodies(first, second, word, part):
    m, d = model(CHAIN)
    found = contact_exclusion(m, d, first, second)
    assert [check.word for check in found.reasons] == [word] and part in found.reasons[0].text
    if word == "parent":
        changed(m, found.reasons[0])
        physics.forward(m, d)
        assert contact_exclusion(m, d, first, second).contacts and reasons(m, d, first, second) == []


def test_grandparents_collide():
    m, d = model(CHAIN)
    assert reasons(m, d, "a", "c") == [] and reasons(m, d, "welded", "c") == []


def test_what_cannot_move():
    m, d = model('<geom name="a" size=".1"/><body><geom name="b" size=".1"/></body><body mocap="true"><geom name="c" size=".1"/></body>'
                 '<body><freejoint/><geom pos="3 0 0" size=".1"/></body>')
    assert reasons(m, d, "a", "b") == ["welded"] and reasons(m, d, "b", "c") == ["static"]
    assert contact_exclusion(m, d, "a", "b").reasons[0].text == "Body 1 is fixed to the world: there is no joint between them."


def test_an_exclude_is_named():
    m, d = two(rest='<contact><exclude name="quiet" body1="B" body2="A"/></contact>')
    found = contact_exclusion(m, d, "a", "b")
    assert [check.word for check in found.reasons] == ["exclude"] and "quiet" in found.reasons[0].text and found.reasons[0].elements[0].name == "quiet"


def test_an_explicit_pair_passes_by_all_of_it():
    m, d = model(CHAIN, '<contact><pair geom1="a" geom2="b"/><pair name="inner" geom1="a" geom2="twin"/><exclude body1="A" body2="B"/></contact>')
    found = contact_exclusion(m, d, "a", "b")
    assert found.reasons == () and found.pair >= 0 and found.contacts
    same = contact_exclusion(m, d, "a", "twin")     # listed, but nothing can move it
    assert [check.word for check in same.reasons] == ["no dofs"]


def test_asleep():
    m, d = model('<geom name="floor" type="plane" size="1 1 1"/><body name="A" pos="0 0 .099" sleep="init"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/></body>'
                 '<body name="B" pos="0 0 1"><freejoint/><geom name="b" size=".1"/></body>', '<option><flag sleep="enable"/></option>')
    found = contact_exclusion(m, d, "floor", "a")
    assert [check.word for check in found.reasons] == ["asleep"] and "body A is asleep" in found.reasons[0].text
    assert reasons(m, d, "floor", "b") == ["bounds", "distance"]


def test_types_without_a_routine():
    m, d = model('<geom name="a" type="plane" size="1 1 1"/><body><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom name="c" size=".1"/></body>'
                 '<body mocap="true"><geom name="b" type="plane" size="1 1 1"/></body>')
    assert "routine" in reasons(m, d)
    assert contact_exclusion(m, d, "a", "b").gap is None and np.isnan(contact_exclusion(m, d, "a", "b").to_go)


@pytest.mark.parametrize("kinds", [("sphere", "sphere"), ("box", "box"), ("capsule", "ellipsoid"), ("cylinder", "box")])
def test_distance_to_go(kinds):
    m, d = two('margin=".01"', 'margin=".02"', pos="0 0 .9", kinds=kinds)
    found = contact_exclusion(m, d, "a", "b")
    assert [check.word for check in found.reasons] == ["bounds", "distance"] and np.isclose(found.margin, 0.03)
    d.qpos[9] -= found.to_go + 1e-6
    physics.forward(m, d)
    assert d.ncon > 0 and reasons(m, d) == []
    d.qpos[9] += 2e-5
    physics.forward(m, d)
    assert d.ncon == 0 and "distance" in reasons(m, d)


def test_a_height_field_far_below():
    m, d = model('<geom name="a" type="hfield" hfield="h"/><body pos=".1 .1 .8"><freejoint/><geom name="b" size=".1"/></body>',
                 '<asset><hfield name="h" nrow="30" ncol="30" size="1 1 .2 .1" elevation="' + " ".join(str(k % 3) for k in range(900)) + '"/></asset>')
    found = contact_exclusion(m, d, "a", "b")
    assert "distance" in [check.word for check in found.reasons] and not found.gap.at_least
    # the ground reaches 0.2 m up in its highest corners, one of which is almost below
    corners = np.stack([*np.meshgrid(np.linspace(-1, 1, 30), np.linspace(-1, 1, 30)), 0.2 * m.hfield_data.reshape(30, 30)], -1).reshape(-1, 3)
    assert found.gap.dist == pytest.approx(np.linalg.norm(corners - d.geom_xpos[1], axis=1).min() - 0.1, abs=1e-5)
    d.qpos[2] -= found.to_go + 0.12     # the distance to prisms is not along z
    physics.forward(m, d)
    assert d.ncon > 0 and reasons(m, d) == []


ROWS = 14


def prisms(m) -> list[str]:
    """Vertices of each prism of the only height field, in the order of the documentation."""
    data, x, found = 0.3 * m.hfield_data.reshape(ROWS, ROWS), np.linspace(-1.0, 1.0, ROWS), []
    for r, c in itertools.product(range(ROWS - 1), repeat=2):
        for corners in (((r + 1, c), (r, c), (r + 1, c + 1)), ((r, c), (r + 1, c + 1), (r, c + 1))):
            found.append(" ".join(f"{x[j]:.9f} {x[i]:.9f} {z:.9f}" for i, j in corners for z in (-0.1, data[i, j])))
    return found


@pytest.mark.parametrize("kind", ("sphere", "box", "capsule"))
@pytest.mark.parametrize("height", (lambda y, x: y * y, lambda y, x: np.sin(9 * x) * np.cos(7 * y), lambda y, x: 1.0 * (y > 0.4)), ids=("slope", "waves", "step"))
def test_the_distance_to_a_height_field_is_that_of_its_nearest_prism(kind, height):
    """Wherever in the field it is, however many are as near: the official engine's least distance to the prisms, as meshes of their own."""
    elevation = " ".join(f"{height(r / (ROWS - 1), c / (ROWS - 1)):.6f}" for r in range(ROWS) for c in range(ROWS))
    geom = f'<body name="B" pos="0 0 2"><freejoint/><geom name="b" type="{kind}" size=".07 .05 .06"/></body>'
    m, d = model(f'<geom name="a" type="hfield" hfield="h"/>{geom}', f'<asset><hfield name="h" nrow="{ROWS}" ncol="{ROWS}" size="1 1 .3 .1" elevation="{elevation}"/></asset>')
    names = [f"p{k}" for k in range(2 * (ROWS - 1) ** 2)]
    meshes = "".join(f'<mesh name="{name}" vertex="{vertices}"/>' for name, vertices in zip(names, prisms(m), strict=True))
    geoms = "".join(f'<geom name="{name}" type="mesh" mesh="{name}"/>' for name in names)
    mm = mujoco.MjModel.from_xml_string(f"<mujoco><asset>{meshes}</asset><worldbody>{geom}{geoms}</worldbody></mujoco>")
    dd, rng = mujoco.MjData(mm), np.random.default_rng(4)
    b, others = mm.geom("b").id, [mm.geom(name).id for name in names]
    for _ in range(5):
        q = np.r_[rng.uniform(-0.9, 0.9, 2), rng.uniform(0.5, 1.2), (lambda v: v / np.linalg.norm(v))(rng.normal(size=4))]
        d.qpos[:] = dd.qpos[:] = q
        physics.forward(m, d)
        mujoco.mj_kinematics(mm, dd)
        official = min(mujoco.mj_geomDistance(mm, dd, b, k, 5.0, None) for k in others)
        found = contact_exclusion(m, d, "a", "b").gap
        assert official > 0.05 and not found.at_least and found.dist == pytest.approx(official, abs=2e-5)
        assert np.linalg.norm(np.subtract(found.fromto[:3], found.fromto[3:])) == pytest.approx(found.dist, abs=2e-5)


MARGINS = (
    ("", "", 'margin=".01"', 'margin=".02"', "both are added up"),
    ("", '<compiler/>', 'margin=".01" gap=".004"', 'margin=".02" gap=".01"', "both are added up"),
    ("", '<contact><pair name="p" geom1="a" geom2="b" margin=".04" gap=".02"/></contact>', 'margin=".3"', "", "set the margin of pair p"),
    ("", '<contact><pair name="p" geom1="a" geom2="b" margin=".01"/><pair name="q" geom1="b" geom2="a" margin=".05"/></contact>', "", "", "set the margin of pair q"),
    ("", '<option o_margin=".03"><flag override="enable"/></option>', 'margin=".3"', 'margin=".3" gap=".02"', "o_margin of option"),
    ("old", "", 'margin=".01"', 'margin=".05" gap=".02"', "the larger one counts"),
    ("old", '<contact><pair name="p" geom1="a" geom2="b" margin=".04" gap=".03"/></contact>', "", "", "set the margin of pair p"),
    ("old", '<option o_margin=".03"><flag override="enable"/></option>', "", 'margin=".3" gap=".02"', "o_margin of option"),
)


@pytest.mark.parametrize(("rule", "rest", "first", "second", "says"), MARGINS)
def test_the_margin_that_is_advised_is_the_one_that_does_it(rule, rest, first, second, says):
    """With it they push, with a little less they do not; both the title and the text count from where they push."""
    m, d = two(first, second, pos="0 0 .5", rest=rest)
    m.flg_maxmargin = int(rule == "old")
    physics.forward(m, d)
    found = contact_exclusion(m, d, "a", "b")
    check = found.reasons[-1]
    assert check.word == "distance" and says in check.advice and f"{found.to_go:.6g} m to go" in check.text and f"Move them {found.to_go:.6g} m nearer" in check.advice
    assert np.isclose(found.to_go, 0.3 - found.margin) and ("until they are listed" in check.text) == (found.reach > found.margin)
    (field, number, value), = check.changes
    for less, pushes in ((0.0, True), (1e-4, False)):
        changed(m, Check("", True, "", changes=((field, number, value - less),)))
        physics.forward(m, d)
        assert bool((d.contact_efc_address[:d.ncon] >= 0).any()) == pushes, (value, less)
        assert (reasons(m, d) == []) == pushes


def test_of_two_boxes_no_margin_is_promised():
    """Corner to corner neither engine finds points, however large the margin is."""
    m, d = two(pos=".4 .4 .4", kinds=("box", "box"))
    check = contact_exclusion(m, d, "a", "b").reasons[-1]
    assert check.changes == () and "two boxes" in check.advice and "Move them" in check.advice
    m.geom_margin[:] = 2.0
    physics.forward(m, d)
    assert d.ncon == 0


def test_the_margin_that_is_advised_within_the_gap():
    """By the present rule and the older one, in which the gap comes off the margin."""
    for rule, margin in ((0, 0.02), (1, 0.22)):
        m, d = two(f'margin="{margin}" gap=".2"', 'margin=".01"', pos="0 0 .25")
        m.flg_maxmargin = rule
        physics.forward(m, d)
        check = contact_exclusion(m, d, "a", "b").reasons[0]
        assert check.word == "gap"
        changed(m, check)
        physics.forward(m, d)
        assert reasons(m, d) == [] and (d.contact_efc_address[:d.ncon] >= 0).all()


def test_in_the_gap():
    m, d = two('gap=".2"', pos="0 0 .25")
    found = contact_exclusion(m, d, "a", "b")
    assert d.ncon == 1 and [check.word for check in found.reasons] == ["gap"] and np.isclose(found.to_go, 0.05)


def test_a_filter_of_the_users():
    m, d = two()
    d.set_callback("cb_contactfilter", lambda *_who: True)
    physics.forward(m, d)
    found = contact_exclusion(m, d, "a", "b")
    assert "filter" in next(check.text for check in found.checks if check.word == "masks")


def test_the_nearest_geoms_of_two_bodies():
    m, d = model('<body name="A"><freejoint/><geom name="a" size=".1"/><geom name="far" pos="-1 0 0" size=".1"/>'
                 '<geom name="ghost" pos=".4 0 0" size=".1" contype="0" conaffinity="0"/></body>'
                 '<body name="B" pos="1 0 0"><freejoint/><geom name="b" size=".1"/></body><body name="C"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body>')
    a, b, c = (geoms_of(m, element(m, "body", k)) for k in (1, 2, 3))
    assert a == (0, 1, 2) and c == () and geoms_of(m, element(m, "geom", 3)) == b == (3,)
    assert nearest_geoms(m, d, a, b) == (0, 3) and nearest_geoms(m, d, b, a) == (3, 0) and nearest_geoms(m, d, a, c) is None and nearest_geoms(m, d, b, b) is None
    d.qpos[7] = 0.1
    physics.forward(m, d)
    assert nearest_geoms(m, d, b, a) == (3, 0)


def test_a_plane_is_as_near_as_it_is_anywhere():
    """Not as its origin is: of the world's geoms the floor is nearest to a foot far out, of two walls the nearer one."""
    m, d = model('<geom name="floor" type="plane" size="1 1 1"/><geom name="wall" type="plane" size="1 1 1" pos="0 0 0" zaxis="-1 0 0"/><geom name="post" pos="38 0 .1" size=".1"/>'
                 '<body name="A" pos="-40 0 .5"><freejoint/><geom name="knee" pos=".02 0 .4" size=".1"/><geom name="foot" size=".1"/></body>')
    world, foot = geoms_of(m, element(m, "body", 0)), geoms_of(m, element(m, "body", 1))
    assert nearest_geoms(m, d, [0], [1]) == (0, 1) and nearest_geoms(m, d, [0], [0]) is None     # two planes: there is nothing else
    assert nearest_geoms(m, d, world, foot) == (m.id("geom", "floor"), m.id("geom", "foot"))
    d.qpos[:3] = (-0.15, 0, 7)
    physics.forward(m, d)
    assert nearest_geoms(m, d, foot, world) == (m.id("geom", "knee"), m.id("geom", "wall"))


def test_the_nearest_of_many_geoms_take_little_room():
    rng = np.random.default_rng(2)
    sides = ["".join(f'<geom pos="{x:.4f} {y:.4f} {z:.4f}" size=".01"/>' for x, y, z in rng.uniform(size=(1000, 3))) for _ in range(2)]
    m, d = model(f'<body><freejoint/>{sides[0]}</body><body pos="1.1 0 0"><freejoint/>{sides[1]}</body>')
    apart = np.linalg.norm(d.geom_xpos[:1000, None] - d.geom_xpos[None, 1000:], axis=2)
    tracemalloc.start()
    found = nearest_geoms(m, d, range(1000), range(1000, 2000))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == (int(np.argmin(apart)) // 1000, 1000 + int(np.argmin(apart)) % 1000) and most < 1e7


def test_a_model_that_can_only_be_viewed():
    m = physics.load_string(VIEW_ONLY)
    assert m.view_only
    found = contact_exclusion(m, physics.Data(m), 0, 1)
    assert found.reasons[0].word == "disabled" and "only be viewed" in found.reasons[0].text


@pytest.mark.parametrize("seeds", [range(100, 125)])
def test_of_every_pair_of_random_scenes_a_reason_or_a_contact(seeds):
    pairs = 0
    for seed in seeds:
        try:
            m = physics.load_string(Scene(seed, seed % 2 == 0).text())
        except physics.ModelError:
            continue
        d = physics.Data(m)
        d.qpos[:] += 0.2 * np.random.default_rng(seed).normal(size=m.nq)
        physics.forward(m, d)
        there = {frozenset(map(int, d.contact_geom[k])) for k in range(d.ncon) if d.contact_exclude[k] == 0 and d.contact_efc_address[k] >= 0}
        before = d.ncon, d.contact_dist[:d.ncon].copy(), d.efc_force[:d.nefc].copy()
        for a, b in itertools.combinations(range(m.ngeom), 2):
            found = contact_exclusion(m, d, a, b)
            assert bool(found.reasons) != ({a, b} in there), (seed, a, b, found)
            pairs += 1
        assert d.ncon == before[0] and (d.contact_dist[:d.ncon] == before[1]).all() and (d.efc_force[:d.nefc] == before[2]).all()
    assert pairs > 500
