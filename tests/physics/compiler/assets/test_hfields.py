"""Height fields as the official compiler makes them, from text, pictures and binary files; and the geoms that show them."""
import struct

import mujoco
import numpy as np
import pytest
from PIL import Image

from physics import ModelError, load, load_string
from tests.oracle.compiled import compare_compiled
from tests.oracle.corpus import corpus_file
from tests.physics.compiler.compared import accepted, difference, differences

FIELDS = ("nhfield", "nhfielddata", "hfield_size", "hfield_nrow", "hfield_ncol", "hfield_adr", "hfield_data", "geom_size", "geom_rbound",
          "geom_aabb", "geom_pos", "geom_quat", "geom_dataid", "geom_type", "geom_fluid", "body_mass", "body_inertia")
TEXT = '<mujoco><asset><hfield name="h" size="{0}" {1}/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
GEOM = """<mujoco><default><default class="k"><geom type="hfield" hfield="h"/></default></default><asset><hfield name="g" size="9 9 9 9" nrow="3" ncol="2"/>
  <hfield name="h" size="1 2 3 .5" nrow="2" ncol="2" elevation="1 2 3 4"/></asset><worldbody>{}</worldbody></mujoco>"""


def heights(rows, columns, *values):
    return struct.pack("<ii", rows, columns) + np.array(values, "<f4").tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Height fields of every kind, whole and broken."""
    folder = tmp_path_factory.mktemp("heights")
    random = np.random.default_rng(1)
    for name, content in (("h.bin", heights(2, 3, 1, 2, 3, 4, 5, 9)), ("big.bin", heights(2, 2, 1e20, 2e20, 3e20, 9e20)), ("short.bin", heights(2, 3, 1, 2)),
                          ("long.bin", heights(2, 2, 1, 2, 3, 4, 5)), ("one.bin", heights(1, 3, 1, 2, 3)), ("negative.bin", heights(-2, -3, 1, 2, 3, 4, 5, 6)),
                          ("flat.bin", heights(2, 2, 7, 7, 7, 7)), ("huge.bin", heights(65536, 65536)), ("tiny.bin", b"abc"), ("empty.bin", b""),
                          ("empty.png", b""), ("bad.png", b"\x89PNG\r\n\x1a\nrubbish")):
        (folder / name).write_bytes(content)
    random.normal(size=200).astype("<f4").tofile(folder / "body")
    (folder / "noise.hf").write_bytes(heights(20, 10) + (folder / "body").read_bytes())
    for name, shape in (("grey.png", (4, 5)), ("rgb.png", (5, 4, 3)), ("rgba.png", (3, 3, 4)), ("row.png", (1, 9))):
        Image.fromarray(random.integers(0, 256, shape, dtype=np.uint8)).save(folder / name)
    Image.fromarray(random.integers(0, 65536, (6, 5)).astype(np.uint16)).save(folder / "deep.png")
    Image.fromarray(random.integers(0, 256, (6, 5), dtype=np.uint8)).save(folder / "UPPER.PNG", format="PNG")
    return folder


def test_heights_in_the_text():
    settings = ('nrow="2" ncol="3"', 'nrow="2" ncol="3" elevation="1 2 3 4 5 6"', 'nrow="2" ncol="3" elevation="1 2 3 4 5"', 'nrow="3" ncol="2" elevation=""',
                'nrow="2" ncol="3" elevation="-5 -5 -5 -5 -5 -5"', 'nrow="2" ncol="1"', 'nrow="1" ncol="2"', 'nrow="-2" ncol="-3"', "", 'nrow="2"',
                'elevation="1 2 3"', 'nrow="2" ncol="2" elevation="1 1e-16 1e-15 1e-15"', 'nrow="2" ncol="2" elevation="1e-15 0 0 0"',
                'nrow="2" ncol="2" elevation="-.1 .7 1.9 3.3"')
    texts = [TEXT.format("1 2 3 .5", setting) for setting in settings]
    assert sum(map(accepted, texts)) == 7
    assert differences(FIELDS, texts) == {}


def test_sizes():
    texts = [TEXT.format(size, 'nrow="2" ncol="2"') for size in ("1 1 1 1", ".3 4 .02 7", "0 1 1 1", "1 1 1 0", "1 1 0 1", "1 1 1", "-1 1 1 1", "1 1 1 1 1")]
    assert sum(map(accepted, texts)) == 2
    assert differences(FIELDS, texts) == {}


def test_heights_from_files(folder):
    names = [p.name for p in sorted(folder.iterdir()) if p.suffix != ".xml"] + ["missing.png"]
    extras = ("", 'nrow="2" ncol="2"', 'elevation="1 2"', 'content_type="image/png"', 'content_type="image/vnd.mujoco.hfield"', 'content_type="image/odd"')
    found, taken = {}, 0
    for name in names:
        for extra in extras:
            (folder / "m.xml").write_text(TEXT.format("1 2 3 4", f'file="{name}" {extra}'))
            taken += accepted(path=folder / "m.xml")
            if off := difference(FIELDS, path=folder / "m.xml"):
                found[name, extra] = off
    assert found == {}
    assert taken == 36


@pytest.mark.parametrize("settings", ('meshdir="sub"', 'assetdir="sub"', 'texturedir="sub"', 'strippath="true" meshdir="sub"'))
def test_where_files_are_looked_up(folder, settings):
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "sub" / "deep.bin").write_bytes(heights(2, 2, 3, 4, 5, 6))
    for name in ("deep.bin", "sub/deep.bin"):
        (folder / "m.xml").write_text(f'<mujoco><compiler {settings}/><asset><hfield file="{name}" size="1 1 1 1"/></asset></mujoco>')
        assert difference(FIELDS, path=folder / "m.xml") == ""


def test_geoms():
    plain = 'type="hfield" hfield="h"'
    bodies = [f"<geom {plain}/>", '<geom type="hfield"/>', '<geom type="sphere" size="1" hfield="h"/>', '<geom hfield="h"/>', '<geom size="1" hfield=""/>',
              f'<geom {plain} size="4 5 6" pos="1 2 3" euler="0 0 90"/>', '<geom type="hfield" hfield="zz"/>', '<geom type="hfield" hfield=""/>',
              f'<geom {plain} fromto="0 0 0 1 1 1"/>', f"<body><freejoint/><geom {plain}/></body>", f'<body><geom {plain} mass="2"/></body>',
              f'<body><geom {plain} shellinertia="true"/></body>', f'<body><geom {plain} density="7" fluidshape="ellipsoid"/><geom size="1"/></body>',
              '<geom class="k"/>', '<geom class="k" type="sphere" size="1"/>', '<geom class="k" type="sphere" size="1" hfield=""/>', '<geom class="k" hfield="g"/>',
              f'<geom {plain} size="-1"/>', '<site type="hfield"/>']
    texts = [GEOM.format(body) for body in bodies]
    taken = [text for text in texts if accepted(text)]
    assert len(taken) == 11
    assert [compare_compiled(load_string(text), mujoco.MjModel.from_xml_string(text))[1] for text in taken] == [{}] * 11
    assert differences(FIELDS[:13], texts) == {}


def test_names():
    texts = [f"<mujoco><asset>{h}</asset></mujoco>" for h in ('<hfield nrow="2" ncol="2" size="1 1 1 1"/>', '<hfield name="q" nrow="2" ncol="2" size="1 1 1 1"/>')]
    assert [accepted(text) for text in texts] == [False, True]
    assert differences(FIELDS, texts) == {}
    assert load_string(texts[1]).names["hfield"] == ("q",)


def test_problems_name_file_and_place(folder):
    bad = (("short.bin", "says that it has 2 rows and 3 columns, which take 32 bytes, but it has 16"), ("tiny.bin", "3 bytes, too few"),
           ("negative.bin", "-2 rows"), ("one.bin", "at least 2 of each"), ("huge.bin", "take 17179869192 bytes"), ("bad.png", "cannot be read"),
           ("missing.bin", "was not found"))
    lines = "\n".join(f'<hfield file="{name}" size="1 1 1 1"/>' for name, _ in bad)
    (folder / "m.xml").write_text(f'<mujoco><asset>\n{lines}\n<hfield name="o" nrow="100000" ncol="100000" size="1 1 1 1"/>\n</asset></mujoco>')
    with pytest.raises(ModelError) as caught:
        load(folder / "m.xml")
    errors = {issue.place.line: issue for issue in caught.value.issues}
    for line, (name, what) in enumerate(bad, 2):
        assert name in errors[line].what and what in errors[line].what and errors[line].place.column == 15
    assert "absurdly many" in errors[2 + len(bad)].what and errors[2 + len(bad)].path == "mujoco/asset/hfield[o]"


def test_heights_must_be_finite(folder):
    (folder / "nan.bin").write_bytes(heights(2, 2, 1, np.nan, 2, 3))
    (folder / "m.xml").write_text(TEXT.format("1 1 1 1", 'file="nan.bin"'))
    with pytest.raises(ModelError, match="nan.bin.*not finite"):
        load(folder / "m.xml")
    (folder / "nan.bin").unlink()


@pytest.mark.parametrize("name", ("derived_car_hfield/car_hfield.xml", "dm_control_suite/quadruped.xml"))
def test_real_models_field_by_field(name):
    path = corpus_file(name)
    official = mujoco.MjModel.from_xml_path(str(path))
    checked, off = compare_compiled(load(path), official)
    assert official.nhfield and checked > 500 and off == {}
