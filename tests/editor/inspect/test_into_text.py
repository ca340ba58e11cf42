"""Values set while a model runs, written into its text: what is compiled from it equals the Model number by number, and nothing differs any more."""
from types import SimpleNamespace

import numpy as np
import pytest

from editor.edits.patch import apply
from editor.edits.version import Version
from editor.inspect.into_text import into_text
from editor.inspect.subject import Reading
from physics import load_string
from physics.model.live_fields import LIVE_FIELDS, row_of
from physics.runtime import targets
from physics.runtime.changed_values import ChangedValues
from physics.runtime.targets import FIELD, FLAG, GROUP, KEY, OPT, VISUAL, Target
from tests.physics.runtime.test_live_fields import TEXT as EVERYTHING

TEXT = """<mujoco>
  <option timestep="0.002"/>
  <visual><global fovy="50"/></visual>
  <default>
    <geom friction="0.8"  rgba="1 0 0 1"/>
    <joint stiffness="3"/>
  </default>
  <asset><material name="steel" rgba=".5 .5 .5 1"/></asset>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <body name="a" pos="0 0 1">
      <joint name="j" damping="0.1"/>
      <geom name="g" size=".1"   friction="1 0.005"/>
      <site name="s"/>
      <body name="ball"><joint name="b" type="ball"/><geom name="h" size=".1"/></body>
    </body>
    <replicate count="3" offset="1 0 0"><geom name="copy" size=".1"/></replicate>
  </worldbody>
  <actuator>
    <position name="p" joint="j" kp="10" dampratio="1"/><position name="q" joint="j" kp="10" kv="1"/>
    <velocity name="v" joint="j" kv="2"/><motor name="m" joint="j"/><general name="n" joint="j" gainprm="3"/><damper name="d" joint="j" kv="1" ctrlrange="0 1"/>
  </actuator>
  <sensor><jointpos name="jp" joint="j"/></sensor>
  <keyframe><key name="home" qpos="0.1   1 0 0 0"/><key name="other"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    return load_string(TEXT)


def changed(m, *sets):
    """ChangedValues with these values set: (target, value)."""
    values = ChangedValues()
    for target, value in sets:
        values.set(m, target, value)
    return values


def field(m, name, kind, element, value, offset=0):
    return Target(FIELD, name, row_of(m, name, m.id(kind, element), offset)), value


def written(m, values, text=TEXT):
    version = Version.of({"m.xml": text}, "m.xml")
    by_place = {(place.line, place.column): element.id for element in version.root.walk() for place in (element.place,)}

    def id_of(kind, number):
        place = m.places[kind][number]
        return by_place.get((place.line, place.column)) if place is not None else None

    found = into_text(Reading(version), m, values.shown(m), id_of)
    return found, {"m.xml": text, **apply({"m.xml": text}, found.edit)}["m.xml"]


def test_nothing_differs_after_it(model):
    m = model
    values = changed(
        m, (Target(OPT, "opt_timestep"), 0.001), (Target(OPT, "opt_gravity"), (0.0, 0.1, -1 / 3)), (Target(OPT, "opt_integrator"), 3), (Target(FLAG, "opt_disableflags", 16), True),
        (Target(FLAG, "opt_enableflags", 2), True), (Target(GROUP, "opt_disableactuator", 2), False), (Target(VISUAL, "global_.fovy"), 60.5), (Target(VISUAL, "map.znear"), 0.02),
        (Target(VISUAL, "headlight.active"), 0), (Target(VISUAL, "rgba.haze"), (0.1, 0.2, 0.3, 1.0)), (Target(FIELD, "stat_extent"), 2.5),
        field(m, "geom_friction", "geom", "g", (1.0, 0.007, 0.0001)), field(m, "geom_rgba", "geom", "h", tuple(np.float32([0.3, 0.7, 0, 1]).tolist())),
        field(m, "geom_solref", "geom", "h", (0.03, 1.0)),
        field(m, "jnt_stiffness", "joint", "j", 7.25), field(m, "dof_damping", "joint", "j", 0.3), field(m, "mat_shininess", "material", "steel", float(np.float32(0.9))),
        field(m, "light_cutoff", "light", "sun", 30.0), field(m, "sensor_noise", "sensor", "jp", 0.01), field(m, "site_rgba", "site", "s", (0.0, 1.0, 0.0, 1.0)))
    found, text = written(m, values)
    assert not found.left_out and len(found.targets) == len(values)
    again = load_string(text)
    kept, dropped = values.carried(m, again)
    assert len(kept) == 0 and not dropped
    assert 'friction="1 0.007"' in text and 'size=".1"   friction' in text, "a number that is the same stays as it is written, or unwritten"
    assert text.count("<option") == 1 and text.count("<visual") == 1 and "<statistic extent" in text


def test_gains_are_written_in_the_words_of_the_shortcut(model):
    m = model

    def prm(name, element, **at):
        row = list(getattr(m, f"actuator_{name}")[m.id("actuator", element)])
        for k, value in at.items():
            row[int(k[1:])] = value
        return field(m, f"actuator_{name}", "actuator", element, tuple(row))

    values = changed(m, prm("gainprm", "q", _0=25.0), prm("biasprm", "q", _1=-25.0, _2=-1.5), prm("gainprm", "v", _0=4.0), prm("biasprm", "v", _2=-4.0),
                     prm("gainprm", "n", _0=5.0), prm("gainprm", "d", _2=-2.0),
                     prm("gainprm", "m", _0=2.0))
    found, text = written(m, values)
    assert 'kp="25" kv="1.5"' in text and '<velocity name="v" joint="j" kv="4"/>' in text and 'gainprm="5"' in text and 'kv="2" ctrlrange' in text
    assert [why for _label, why in found.left_out] == ["<motor> says it in other words"]
    again = load_string(text)
    for name in ("gainprm", "biasprm"):
        rows = [m.id("actuator", one) for one in "qvnd"]
        assert np.array_equal(getattr(again, f"actuator_{name}")[rows], getattr(m, f"actuator_{name}")[rows])


def test_keyframes(model):
    m = model
    target = Target(KEY, "key", m.id("key", "home"))
    state = list(targets.read(m, target))
    names = [one.name for one in targets.KEYFRAME]
    state[names.index("qpos")] = (0.1, 0.0, 1.0, 0.0, 0.0)
    state[names.index("time")] = (0.5,)
    values = changed(m, (target, tuple(state)))
    found, text = written(m, values)
    assert 'qpos="0.1   0 1 0 0" time="0.5"' in text and text.count("<key ") == 2 and not found.left_out
    assert len(values.carried(m, load_string(text))[0]) == 0


def test_what_the_text_cannot_say_is_left_out_with_the_reason(model):
    m = model
    dof = int(m.jnt_dofadr[m.id("joint", "b")])
    values = changed(m, (Target(FIELD, "dof_damping", dof + 1), 3.0), (Target(FIELD, "geom_friction", m.names["geom"].index("copy1")), (0.5, 0.005, 0.0001)))
    found, text = written(m, values)
    assert text == TEXT and len(found.left_out) == 2 and any("copies" in why for _label, why in found.left_out)


def test_options_that_the_text_has_no_word_for_and_elements_of_attached_models_are_told_as_such(model):
    targets = "opt.nonsense", "stat.nonsense", "vis.global.nonsense", "vis.nonsense.fovy", "geom_friction[0]"
    changes = [SimpleNamespace(target=target, label=target, value=1.0) for target in targets]
    hand = '<mujoco model="hand"><worldbody><body name="palm"><geom name="pad" size=".1"/></body></worldbody></mujoco>'
    text = '<mujoco><asset><model name="hand" file="hand.xml"/></asset><worldbody><attach model="hand" body="palm" prefix="r_"/></worldbody></mujoco>'
    version = Version.of({"/m/main.xml": text, "/m/hand.xml": hand}, "/m/main.xml", "/m")
    pad = next(one.id for root in version.trees() for one in root.walk() if one.name == "pad")
    found = into_text(Reading(version), model, changes, lambda kind, number: pad)
    why = dict(found.left_out)
    assert not found.edit.patches and all("has no nonsense" in why[name] for name in ("opt.nonsense", "stat.nonsense", "vis.global.nonsense"))
    assert "has no fovy" in why["vis.nonsense.fovy"] and "hand.xml, which is attached" in why["geom_friction[0]"]


@pytest.mark.parametrize("name", [name for name, live in LIVE_FIELDS.items() if live.kind != "key"])
def test_every_field_that_can_be_set_while_it_runs(name):
    m, live = load_string(EVERYTHING), LIVE_FIELDS[name]
    row = row_of(m, name, m.id(live.kind, live.kind), 0) if live.kind else -1
    before = np.ravel(getattr(m, name)[row] if row >= 0 else getattr(m, name))
    wanted = np.clip(before * 0.75 + 0.125, live.low, live.high).astype(before.dtype)
    if not wanted.size:
        pytest.skip("it has no numbers here")
    values = changed(m, (Target(FIELD, name, row), float(wanted[0]) if row >= 0 and np.ndim(getattr(m, name)) == 1 or row < 0 and np.ndim(getattr(m,
        name)) == 0 else tuple(wanted.tolist())))
    found, text = written(m, values, EVERYTHING)
    assert not found.left_out
    again = load_string(text)
    assert np.array_equal(np.ravel(getattr(again, name)[row] if row >= 0 else getattr(again, name)), wanted)
    assert len(values.carried(m, again, frozenset(live.attribute for _ in (1,) if not live.kind))[0]) == 0


@pytest.mark.parametrize("custom", ["", '  <custom>\n    <text name="other" data="x"/>\n  </custom>\n', '  <custom><text name="linkwork_engine" data="soft"/><numeric name="linkwork_hard" data="1e-6"/></custom>\n'])
def test_the_engine_and_its_options_are_custom_elements(custom):
    text = TEXT.replace("  <sensor>", f"{custom}  <sensor>")
    m = load_string(text)
    values = changed(m, (Target(OPT, "opt_engine"), 1), (Target(OPT, "opt_hard_looks"), 2), (Target(OPT, "opt_hard_kappa"), 1e-3), (Target(OPT, "opt_timestep"), 0.01))
    found, text = written(m, values, text)
    assert not found.left_out and len(found.targets) == 4 and text.count("linkwork_engine") == text.count("linkwork_hard") == text.count("<custom>") == 1
    again = load_string(text)
    assert [getattr(again, name) for name in ("opt_engine", "opt_hard_looks", "opt_hard_kappa", "opt_hard_rtol", "opt_timestep")] == [1, 2, 1e-3, m.opt_hard_rtol, 0.01]
    assert len(values.carried(m, again)[0]) == 0 and ("other\" data=\"x" in custom) == ("other\" data=\"x" in text)
