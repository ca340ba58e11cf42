"""Keyframes written into texts: the section that there is, one that is made, an element that is replaced; comments do not count."""
import numpy as np
import pytest

import physics
from app.posing.key_text import find_key, key_xml, write_key
from physics.query.keyframes import Keyframe

BODY = '<worldbody><body name="b"><freejoint/><geom size=".1"/></body><body name="t" mocap="true" pos="1 2 3"/></worldbody>'


@pytest.fixture(scope="module")
def m():
    physics.ensure_kernels()
    return physics.load_string(f"<mujoco>{BODY}</mujoco>")


@pytest.fixture
def key(m):
    d = physics.Data(m)
    d.time, d.qpos[:3], d.qvel[0] = 1.5, (1 / 3, 0, -2), 0.25
    return Keyframe.of(d)


def check(m, key, text, name="k"):
    """The text with the keyframe is a model with it; its line is told."""
    written = write_key(text, m, key, name)
    made = physics.load_string(written.text)
    k = made.id("key", name)
    assert made.key_time[k] == key.time and np.allclose(made.key_qpos[k], key.qpos, atol=1e-8) and np.allclose(made.key_qvel[k], key.qvel) and np.allclose(made.key_mpos[k], key.mocap_pos.ravel())
    assert "<key" in written.text.splitlines()[written.line - 1]
    return written.text, made


@pytest.mark.parametrize("rest, keys", [
    ("", 1), ("<keyframe/>", 1), ("<keyframe></keyframe>", 1), ('<keyframe><key name="a"/></keyframe>', 2), ('<keyframe>\n  <key name="a"/>\n</keyframe>\n', 2),
    ("<!-- <keyframe></keyframe> -->", 1), ("<keyframe>\n<!-- </keyframe> <key name='k'/> -->\n<key name='a' qpos='0 0 0 1 0 0 0'/></keyframe>", 2),
    ('<keyframe><key name="k" time="7"/><key name="b"/></keyframe>', 2), ("<keyframe><key time='7'\n name='k'></key></keyframe>", 1), ("<keyframe/><keyframe><key name='a'/></keyframe>", 2),
])
def test_all_kinds_of_texts(m, key, rest, keys):
    text = f"<mujoco>\n  {BODY}\n  {rest}\n</mujoco>\n"
    after, made = check(m, key, text)
    assert made.nkey == keys
    for line in BODY, *(part for part in rest.splitlines() if part.startswith("<!--")):
        assert line in after
    again, made = check(m, key, after)
    assert again == after, "a second time it takes its own place"


def test_the_indent_is_that_of_its_neighbours(m, key):
    text = f"<mujoco>\n    {BODY}\n    <keyframe>\n      <key name=\"a\"/>\n    </keyframe>\n</mujoco>"
    after, _ = check(m, key, text)
    assert "\n    </keyframe>\n</mujoco>" in after and '\n      <key name="k"' in after


def test_names_that_need_escapes(m, key):
    after, _ = check(m, key, f"<mujoco>{BODY}</mujoco>", 'a "b" & <c>')
    again, made = check(m, key, after, 'a "b" & <c>')
    assert made.nkey == 1


def test_what_is_as_by_default_is_left_out(m, key):
    assert key_xml(m, Keyframe.start(m), "s") == '<key name="s"/>'
    assert "mpos" not in key_xml(m, key, "k") and 'qvel="0.25 0 0 0 0 0"' in key_xml(m, key, "k")


def test_a_text_without_an_end_is_refused(m, key):
    for text in ("<mujoco>", "<mujoco><keyframe>", ""):
        with pytest.raises(ValueError):
            write_key(text, m, key, "k")


def test_one_without_a_name_is_found_by_its_place(m, key):
    text = f'<mujoco>{BODY}\n<!-- <key/>\n --><keyframe>\n  <key time="1"/> <key time="2"/>\n</keyframe></mujoco>'
    read = physics.load_string(text)
    for k in range(2):
        place = read.places["key"][k]
        assert find_key(text, "", (place.line, place.column))[0] == f'<key time="{k + 1}"/>'
        made = physics.load_string(write_key(text, m, key, "", (place.line, place.column)).text)
        assert made.key_time.tolist() == [key.time if i == k else i + 1 for i in range(2)] and made.names["key"] == ("", "")
    assert find_key(text, "", (1, 1)) is None and find_key(text, "a") is None


@pytest.mark.parametrize("eol", ["\r\n", "\r"])
@pytest.mark.parametrize("rest", ["", "<keyframe/>\n", "<keyframe>\n  <key name='a'/>\n</keyframe>", "<keyframe>\n  <key time='7'\n name='k'/></keyframe>"])
def test_lines_end_as_those_of_the_text(m, key, rest, eol):
    text = f"<mujoco>\n{BODY}\n{rest}</mujoco>\n"
    plain = write_key(text, m, key, "k")
    written = write_key(text.replace("\n", eol), m, key, "k")
    assert written == (plain.text.replace("\n", eol), plain.line)
