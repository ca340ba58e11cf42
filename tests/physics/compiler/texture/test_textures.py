"""Textures: every byte is the official one, and what the official compiler refuses is refused."""
import itertools
import zlib

import numpy as np
import pytest
from PIL import Image

from physics import ModelError, load, load_string
from tests.physics.compiler.compared import accepted, difference, differences

FIELDS = ("ntex", "ntexdata", "tex_type", "tex_colorspace", "tex_height", "tex_width", "tex_nchannel", "tex_adr", "tex_data")
SIZES = ('width="8" height="8"', 'width="7" height="11"', 'width="1" height="1"', 'width="2" height="30"', 'width="5"', 'height="5"', "",
         'width="-3" height="4"', 'width="100" height="100"')
COLOURS = 'rgb1=".1 .21 .999" rgb2=".7 0 .33" markrgb="1 .5 .2" random=".05"'
TYPES = ("2d", "cube", "skybox")


@pytest.mark.parametrize("kind", TYPES)
def test_made_patterns_and_marks(kind):
    texts = [f'<mujoco><asset><texture name="t" type="{kind}" builtin="{word}" mark="{mark}" {size} {COLOURS}/></asset></mujoco>'
             for word, mark, size in itertools.product(("flat", "checker", "gradient"), ("none", "edge", "cross", "random"), SIZES)]
    assert sum(map(accepted, texts)) >= 60
    assert differences(FIELDS, texts) == {}


@pytest.mark.parametrize("kind", TYPES)
def test_settings_of_made_patterns(kind):
    extras = ('nchannel="1"', 'nchannel="4"', 'nchannel="2"', 'nchannel="0"', 'rgb1="2 -1 .5"', 'colorspace="sRGB"', 'colorspace="linear"',
              'hflip="true"', 'vflip="true"', 'gridsize="2 2"', 'gridsize="3 4" gridlayout=".U..LFRB.D.."', 'random="2" mark="random"',
              'random="-1" mark="random"', 'gridlayout="XYZ"', 'builtin="none"')
    texts = [f'<mujoco><asset><texture name="t" type="{kind}" {"" if "builtin" in extra else "builtin=%r" % "checker"} width="6" height="6" '
             f"{extra}/></asset></mujoco>" for extra in extras]
    assert differences(FIELDS, texts) == {}


def test_textures_follow_one_another_in_the_data():
    text = """<mujoco><asset><texture name="a" builtin="flat" width="3"/><texture name="b" type="2d" builtin="checker" width="5" height="2"/>
      <texture name="c" type="skybox" builtin="gradient" width="4" height="4"/></asset></mujoco>"""
    assert difference(FIELDS, text) == ""
    model = load_string(text)
    assert model.tex_adr.tolist() == [0, 162, 192]
    assert model.ntexdata == 192 + 6 * 16 * 3


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """A folder of PNG files of every kind, whole and broken."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "sub").mkdir()
    (folder / "isdir.png").mkdir()
    random = np.random.default_rng(0)

    def picture(name, height, width, channels, mode=None):
        shape = (height, width) if channels == 1 else (height, width, channels)
        image = Image.fromarray(random.integers(0, 256, shape, dtype=np.uint8))
        (image.convert(mode) if mode else image).save(folder / name)

    for name, *shape in (("rgb.png", 4, 6, 3), ("sq.png", 6, 6, 3), ("sq4.png", 6, 6, 4), ("grey.png", 4, 4, 1), ("rgba.png", 4, 6, 4),
                         ("pal.png", 4, 4, 3, "P"), ("la.png", 4, 4, 4, "LA"), ("bit.png", 4, 4, 3, "1"), ("grid.png", 9, 12, 3),
                         ("six.png", 24, 4, 3), ("row.png", 4, 24, 3), ("sub/deep.png", 5, 5, 3), ("j.jpg", 4, 4, 3)):
        picture(name, *shape)
    Image.fromarray(random.integers(0, 65536, (4, 4)).astype(np.uint16)).save(folder / "g16.png")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    (folder / "empty.png").write_bytes(b"")
    (folder / "cut.png").write_bytes((folder / "grid.png").read_bytes()[:150])
    return folder


def off_in(folder, bodies):
    path = folder / "model.xml"
    found, taken = {}, 0
    for body in bodies:
        path.write_text(f"<mujoco>{body}</mujoco>")
        taken += accepted(path=path)
        if off := difference(FIELDS, path=path):
            found[body] = off
    return found, taken


@pytest.mark.parametrize("kind", TYPES)
def test_pictures_from_files(pictures, kind):
    files = ("rgb.png", "sq.png", "sq4.png", "grey.png", "rgba.png", "pal.png", "la.png", "bit.png", "g16.png", "grid.png", "six.png", "row.png",
             "broken.png", "empty.png", "cut.png", "missing.png", "isdir.png", "j.jpg")
    extras = ("", 'hflip="true"', 'vflip="true"', 'nchannel="1"', 'nchannel="4"', 'gridsize="3 4" gridlayout=".U..LFRB.D.."',
              'gridsize="6 1" gridlayout="RLUDFB"', 'gridsize="1 6" gridlayout="RLUDFB"', 'gridsize="2 3" gridlayout="RL"',
              'gridsize="3 4"', 'content_type="image/png"', 'content_type="image/jpg"')
    found, taken = off_in(pictures, [f'<asset><texture type="{kind}" file="{f}" {e}/></asset>' for f, e in itertools.product(files, extras)])
    assert found == {}
    assert taken >= 30


def test_damaged_pictures(pictures):
    whole = (pictures / "rgb.png").read_bytes()

    def chunk(name, body, damage=0):
        return len(body).to_bytes(4, "big") + name + body + (zlib.crc32(name + body) ^ damage).to_bytes(4, "big")

    damaged = {"crc": whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], "end": whole[:-12], "more": whole + b"tail", "cut": whole[:-1],
               "critical": whole[:33] + chunk(b"ODDs", b"") + whole[33:],
               "text": whole[:33] + chunk(b"tEXt", b"a\0b", 7) + whole[33:], "name": whole[:33] + chunk(b"od+s", b"") + whole[33:],
               "small": whole[:33] + chunk(b"odDs", b"") + whole[33:]}
    for name, data in damaged.items():
        (pictures / f"x_{name}.png").write_bytes(data)
    found, taken = off_in(pictures, [f'<asset><texture type="2d" file="x_{name}.png"/></asset>' for name in damaged])
    assert found == {}
    assert taken == 2   # those with something at the end, and with an unknown chunk that may be left out


def test_faces_from_separate_files(pictures):
    faces = ('fileright="sq.png"', 'fileright="sq.png" fileleft="sq.png" hflip="true"', 'fileup="sq.png" filedown="grey.png"',
             'filefront="rgb.png"', 'fileback="sq.png" vflip="true" rgb1="1 0 0"', 'filefront="sq4.png"', 'filefront="sq.png" nchannel="4"',
             'fileright="missing.png" fileleft="sq.png"', 'file="sq.png" fileleft="rgb.png"', 'file="sq.png" builtin="flat" width="3" height="3"')
    found, taken = off_in(pictures, [f'<asset><texture name="t" type="{k}" {f}/></asset>' for k, f in itertools.product(TYPES, faces)])
    assert found == {}
    assert taken >= 10


def test_where_files_are_looked_up(pictures):
    settings = ("", 'texturedir="sub"', 'assetdir="sub"', 'strippath="true"', 'strippath="true" texturedir="sub"', f'texturedir="{pictures}/sub"',
                'meshdir="sub"', 'assetdir="x" texturedir="sub"', 'texturedir="sub" assetdir="x"', 'texturedir="sub/"')
    files = ("deep.png", "sub/deep.png", f"{pictures}/sub/deep.png", "nowhere/deep.png", f"../{pictures.name}/sub/deep.png")
    found, taken = off_in(pictures, [f'<compiler {s}/><asset><texture type="2d" file="{f}"/></asset>' for s, f in itertools.product(settings, files)])
    assert found == {}
    assert taken >= 15


def test_grids_of_classes(pictures):
    default = 'gridsize="3 4" gridlayout=".U..LFRB.D.."'
    found, taken = off_in(pictures, [
        f'<default><texture {d}/></default><asset><texture file="{f}" {own}/></asset>' for d, f, own in (
            (default, "grid.png", ""), (default, "grid.png", 'gridsize="3 4"'), (default, "sq.png", 'gridsize="1 1"'), (default, "sq.png", 'gridsize="2 2"'),
            (default, "grid.png", 'gridlayout="BDFULRBDFULR"'), (default, "grid.png", 'gridlayout="RLU"'), ('gridsize="3 4"', "grid.png", default[15:]),
            ('gridlayout="RLU"', "grid.png", 'type="2d"'), ('gridlayout=".U..LFRB.D.."', "grid.png", 'gridsize="3 4"'),
            ("", "grid.png", 'gridsize="100 100"'), ("", "grid.png", 'gridsize="-1 4"'), ("", "grid.png", 'gridsize="3 4" gridlayout=""'))])
    assert found == {}
    assert taken == 6


def test_classes_of_textures():
    texts = [f"""<mujoco><default><texture builtin="flat" width="2" height="3" type="2d"/><default class="k"><texture rgb1="1 0 0" mark="edge"/></default>
      </default><asset><texture {a}/></asset></mujoco>""" for a in ('name="x"', 'name="x" class="k"', 'name="x" class="k" type="cube"', 'name="x" class="z"', "",
                                                                     'type="skybox"', 'name="x" builtin="none"')]
    assert sum(map(accepted, texts)) == 4
    assert differences(FIELDS, texts) == {}


def test_containers_are_kept_as_they_are(pictures):
    (pictures / "a.ktx").write_bytes(bytes(range(100)))
    (pictures / "none.ktx").write_bytes(b"")
    extras = ('file="a.ktx"', 'file="a.ktx" nchannel="4"', 'file="a.ktx" nchannel="2"', 'file="a.ktx" vflip="true"', 'file="a.ktx" colorspace="sRGB"',
              'file="none.ktx"', 'file="a.ktx" content_type="image/png"', 'file="sq.png" content_type="image/ktx"', 'name="x" fileup="a.ktx"',
              'file="a.ktx" gridsize="1 2" gridlayout="RL"')
    found, taken = off_in(pictures, [f'<asset><texture type="{k}" {e}/></asset>' for k, e in itertools.product(TYPES, extras)])
    assert found == {}
    assert taken == 6


@pytest.mark.parametrize("setting", ("", '<compiler passthrough="textures"/>'))
def test_textures_left_in_their_files(pictures, setting):
    extras = ('file="sq.png"', 'file="missing.png"', 'file="sq.png" hflip="true"', 'file="sq.png" vflip="true"', 'file="sq.png" gridsize="2 2" gridlayout="RLUD"',
              'file="j.jpg"', 'file="j.jpg" content_type="image/odd"', 'file="sq.png" nchannel="2"', 'file="sq.png" nchannel="4" colorspace="sRGB"',
              'file="x.ktx"', 'file="sq.png" content_type="image/ktx"', 'name="x" builtin="flat" width="3" height="2"', 'name="x" fileup="sq.png"', 'name="x"')
    found, taken = off_in(pictures, [f'{setting}<asset><texture type="{k}" embed="{embed}" {e}/><texture name="last" builtin="flat" width="1"/></asset>'
                                     for k, embed, e in itertools.product(TYPES[:2], ("auto", "true", "false"), extras)])
    assert found == {}
    assert taken >= 35


def test_textures_of_lights():
    fields = ("nlight", "light_type", "light_texid")
    texts = [f"""<mujoco><default><default class="k"><light type="image"/></default></default><asset><texture name="sky" type="skybox" builtin="flat" width="2"/>
      <texture name="t" type="2d" builtin="flat" width="2" height="2"/></asset><worldbody><light {a}/><light/></worldbody></mujoco>""" for a in (
        'type="image" texture="sky"', 'texture="t"', 'texture=""', 'texture="zz"', 'type="image"', 'class="k"', 'class="k" texture="t"', 'type="directional" texture="t"')]
    assert sum(map(accepted, texts)) >= 5
    assert differences(fields, texts) == {}


def test_files_in_memory_are_not_left_there(pictures):
    text = '<mujoco><compiler passthrough="textures"/><asset><texture type="2d" file="sq.png" {}/></asset></mujoco>'
    files = {str(pictures / "sq.png"): (pictures / "sq.png").read_bytes()}
    assert load_string(text.format(""), base_dir=pictures, files=files).tex_adr.tolist() == [0]
    assert load_string(text.format(""), base_dir=pictures).tex_adr.tolist() == [-1]
    with pytest.raises(ModelError, match="comes from memory cannot stay outside the model"):
        load_string(text.format('embed="false"'), base_dir=pictures, files=files)


def test_problems_name_file_and_place(pictures):
    path = pictures / "bad.xml"
    path.write_text('<mujoco>\n<asset>\n<texture name="a" type="2d"\n  file="missing.png"/>\n<texture name="b" type="2d" file="broken.png"/>\n'
                    '<texture name="c" builtin="flat" width="100000"/>\n<texture name="d" builtin="flat" width="4" rgb1="nan 0 0"/>\n</asset>\n</mujoco>')
    with pytest.raises(ModelError) as caught:
        load(path)
    errors = {issue.place.line: issue for issue in caught.value.issues if issue.severity == "error"}
    assert sorted(errors) == [4, 5, 6, 7]
    assert "missing.png" in errors[4].what and errors[4].place.column == 9 and errors[4].path == "mujoco/asset/texture[a]"
    assert "broken.png" in errors[5].what
    assert "large" in errors[6].what
    assert all(issue.place.file == str(path) for issue in errors.values())


def test_a_picture_of_a_bomb_is_refused(tmp_path):
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (2**30).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    (tmp_path / "bomb.png").write_bytes(header + zlib.crc32(header[12:]).to_bytes(4, "big"))
    (tmp_path / "m.xml").write_text('<mujoco><asset><texture type="2d" file="bomb.png"/></asset></mujoco>')
    with pytest.raises(ModelError, match="bomb.png"):
        load(tmp_path / "m.xml")
