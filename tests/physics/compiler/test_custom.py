"""Custom numbers, texts and tuples as the official compiler makes them."""
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.compared import accepted, difference, differences

FIELDS = ("nnumeric", "nnumericdata", "ntext", "ntextdata", "ntuple", "ntupledata", "numeric_adr", "numeric_size", "numeric_data", "text_adr",
          "text_size", "text_data", "tuple_adr", "tuple_size", "tuple_objtype", "tuple_objid", "tuple_objprm")
MODEL = """<mujoco><asset><material name="ma"/></asset><worldbody><light name="l"/><camera name="c"/><body name="a"><joint name="j"/>
<geom name="g" size=".1"/><site name="s"/></body></worldbody><tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<actuator><motor name="m" joint="j"/></actuator><contact><exclude name="x" body1="a" body2="world"/></contact><sensor><clock name="k"/></sensor>
<custom>%s</custom><keyframe><key name="other"/><key name="ky"/></keyframe></mujoco>"""
NUMBERS = ('data="1 2 3"', "", 'size="0"', 'size="3"', 'data="1 2" size="5"', 'data="1 2" size="1"', 'data="" size="2"', 'size="-2"', 'size="600"',
           'data="a b"', 'data="nan"', f'data="{" ".join(map(str, range(600)))}"')
TEXTS = ('data="hello world"', "", 'data=""', 'data="äöü €"', 'data="&lt;a&gt; &quot;"', 'data="a&#10;b"', 'data=" "')
KINDS = (("body", "a"), ("body", "world"), ("xbody", "a"), ("joint", "j"), ("geom", "g"), ("site", "s"), ("camera", "c"), ("light", "l"),
         ("tendon", "t"), ("actuator", "m"), ("sensor", "k"), ("material", "ma"), ("exclude", "x"), ("key", "ky"), ("tuple", "t"), ("tuple", "later"),
         ("numeric", "later"), ("text", "later"), ("dof", "j"), ("BODY", "a"), ("body", "zz"), ("", "a"))


def test_numbers():
    texts = [MODEL % f'<numeric name="n" {e}/>' for e in NUMBERS]
    texts += [MODEL % '<numeric name="n" data="1"/><numeric name="n" data="2"/>', MODEL % '<numeric data="1"/>']
    assert sum(map(accepted, texts)) >= 6
    assert differences(FIELDS, texts) == {}


def test_texts():
    texts = [MODEL % f'<text name="t" {e}/>' for e in TEXTS] + [MODEL % '<text name="t" data="x"/><text name="u" data="yz"/>', MODEL % '<text data="q"/>']
    assert sum(map(accepted, texts)) >= 5
    assert differences(FIELDS, texts) == {}
    assert load_string(texts[0]).texts == {"t": "hello world"}
    assert load_string(texts[3]).text_data.tobytes() == "äöü €".encode() + b"\0"


def test_tuples():
    later = '<tuple name="later"><element objtype="body" objname="a"/></tuple><numeric name="later" data="1"/><text name="later" data="q"/>'
    texts = [MODEL % (f'<tuple name="t"><element objtype="{k}" objname="{n}" prm="2.5"/><element objtype="body" objname="a"/></tuple>' + later)
             for k, n in KINDS]
    texts += [MODEL % f'<tuple name="t">{e}</tuple>' for e in ("", '<element objname="a"/>', '<element objtype="body"/>')]
    assert sum(map(accepted, texts)) >= 16
    assert differences(FIELDS, texts) == {}


def test_kinds_that_bring_the_official_compiler_down():
    for kind in ("frame", "unknown"):
        with pytest.raises(ModelError, match=f"no kind of element called '{kind}'"):
            load_string(MODEL % f'<tuple name="t"><element objtype="{kind}" objname="a"/></tuple>')


def test_everything_together():
    text = MODEL % ('<tuple name="t"><element objtype="text" objname="u"/><element objtype="tuple" objname="t2" prm="-1"/></tuple><text name="u" data="w"/>'
                    '<numeric name="n" size="3"/><tuple name="t2"><element objtype="numeric" objname="n"/></tuple><numeric name="o" data="4 5"/>')
    assert accepted(text)
    assert difference(FIELDS, text) == ""
    model = load_string(text)
    assert model.names["tuple"] == ("t", "t2") and model.names["numeric"] == ("n", "o") and model.names["text"] == ("u",)


@pytest.mark.parametrize("quat", ["0 0 0 0", "0 0 0 3", "0 1e-20 0 0"])
def test_keyframes_keep_mocap_quaternions_without_direction(quat):
    text = f'<mujoco><worldbody><body mocap="true"/></worldbody><keyframe><key mquat="{quat}"/></keyframe></mujoco>'
    assert accepted(text) and difference(("key_mquat",), text) == ""


def test_an_absurd_size_is_an_error_with_a_place():
    with pytest.raises(ModelError, match=r"model\.xml:4:\d+: error: .*absurd.*numeric\[n\]"):
        load_string(MODEL % '<numeric name="n" size="2000000000"/>')
