"""The commands without a window, from the command line to the file and the exit code."""
import csv
import json
import subprocess
import sys

import moderngl
import numpy as np
import pytest
from PIL import Image

from app import headless

GOOD = """<mujoco>
  <option timestep="0.004"/>
  <visual><headlight ambient="0.5 0.5 0.5"/></visual>
  <worldbody>
    <light pos="0 0 3" directional="true"/>
    <camera name="top" pos="0 0 3" xyaxes="1 0 0 0 1 0"/>
    <geom name="floor" type="plane" size="3 3 .1" rgba="0 0 1 1"/>
    <body name="ball" pos="0 0 0.5"><freejoint name="free"/><geom size=".2" rgba="1 0 0 1"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 -.2"/></body>
  </worldbody>
  <actuator><motor name="m" joint="hinge"/></actuator>
  <keyframe><key name="high" qpos="0 0 2 1 0 0 0 0.5"/></keyframe>
</mujoco>"""
WILD = """<mujoco><option timestep="0.1" integrator="RK4"/>
<worldbody><body><joint name="spring" type="slide" stiffness="-1e7"/><geom size=".1"/></body></worldbody>
<keyframe><key qpos="0.1"/></keyframe></mujoco>"""
BAD = """<mujoco>
  <worldbody>
    <body><joint type="hinje"/><geom size="0.1" bogus="1"/></body>
    <body><geom type="sphere" size="abc"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def model(tmp_path):
    """Path of a model file with this text."""
    def write(text=GOOD, name="model.xml"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)
    return write


def run(capsys, *arguments):
    """(exit code, output, error output) of a command in this process."""
    code = headless.main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_render_draws_what_is_there(model, tmp_path, capsys):
    out = tmp_path / "picture.png"
    code, text, _ = run(capsys, "render", model(), "-o", str(out), "--size", "320x240", "--camera", "top")
    assert code == 0 and "320 x 240" in text
    rgb = np.asarray(Image.open(out).convert("RGB")).astype(int)
    assert rgb.shape == (240, 320, 3)
    centre, side = rgb[120, 160], rgb[225, 20]
    assert centre[0] > 2 * centre[2] and side[2] > 2 * side[0]  # red ball on blue floor


def test_broken_assets_are_reported_and_the_rest_is_drawn(model, tmp_path, capsys):
    out, path = tmp_path / "picture.png", model(GOOD.replace("<worldbody", '<asset><texture name="t" type="2d" file="none.png"/></asset><worldbody', 1))
    code, _, err = run(capsys, "render", path, "-o", str(out), "--size", "320x240", "--camera", "top")
    assert code == 0 and "texture file 'none.png' was not found" in err and "model.xml:" in err
    centre = np.asarray(Image.open(out).convert("RGB")).astype(int)[120, 160]
    assert centre[0] > 2 * centre[2]
    code, _, err = run(capsys, "run", path, "--time", "0.01")
    assert code == 0 and "none.png" in err
    assert run(capsys, "check", path)[0] == 1


def test_render_after_some_time_with_flags_and_labels(model, tmp_path, capsys):
    plain, decorated = tmp_path / "a.png", tmp_path / "b.png"
    arguments = ("--size", "320x240", "--time", "1")
    assert run(capsys, "render", model(), "-o", str(plain), *arguments)[0] == 0
    code, text, _ = run(capsys, "render", model(), "-o", str(decorated), *arguments, "--flags", "contact point, Contact Force", "--label", "body", "--json")
    assert code == 0 and json.loads(text)["time"] == pytest.approx(1.0)
    a, b = (np.asarray(Image.open(p)).astype(int) for p in (plain, decorated))
    assert 50 < (np.abs(a - b).max(axis=2) > 40).sum() < a[..., 0].size / 4


def test_render_in_the_physical_look(model, tmp_path, capsys):
    plain, physical = tmp_path / "a.png", tmp_path / "b.png"
    for out, look in ((plain, "classic"), (physical, "physical")):
        assert run(capsys, "render", model(), "-o", str(out), "--size", "320x240", "--camera", "top", "--look", look)[0] == 0
    a, b = (np.asarray(Image.open(p)).astype(int) for p in (plain, physical))
    assert np.abs(a - b).max() > 10 and abs(a.mean() - b.mean()) < 40
    assert b[120, 160, 0] > 2 * b[120, 160, 2]


def test_render_draws_forces_and_motion_to_a_scale_with_a_legend(model, tmp_path, capsys):
    pictures = []
    for extra in ((), ("--flags", "linear velocity"), ("--flags", "linear velocity", "--scale", "speed=3,force=2")):
        out = tmp_path / f"{len(pictures)}.png"
        assert run(capsys, "render", model(), "-o", str(out), "--size", "320x240", "--key", "high", "--time", ".3", *extra)[0] == 0
        pictures.append(np.asarray(Image.open(out)).astype(int))
    plain, drawn, larger = ((p[:200] - pictures[0][:200]) != 0 for p in pictures)   # above the legend
    assert 5 < drawn.any(axis=2).sum() < larger.any(axis=2).sum() and not plain.any()
    assert (np.abs(pictures[1] - pictures[0])[220:].max(axis=2) > 20).sum() > 500


def test_render_says_what_is_wrong(model, tmp_path, capsys):
    out = str(tmp_path / "x.png")
    for arguments, code, words in (
        ((model(), "-o", out, "--camera", "side"), 1, "top"),
        ((model(), "-o", out, "--flags", "Nonsense"), 2, "Contact Force"),
        ((model(), "-o", out, "--flags", "Linear Velocities"), 2, "Linear Velocity"),
        ((model(), "-o", out, "--label", "Nonsense"), 2, "Body"),
        ((model(), "-o", out, "--quality", "Nonsense"), 2, "classic"),
        ((model(), "-o", out, "--look", "Nonsense"), 2, "physical"),
        ((model(), "-o", str(tmp_path / "x.nonsense")), 2, "picture format"),
        ((model(), "-o", str(tmp_path / "no" / "x.png")), 1, "cannot be written"),
        ((model(), "-o", out, "--key", "low"), 1, "high"),
        ((model(BAD, "bad.xml"), "-o", out), 1, "hinje"),
        (("missing.xml", "-o", out), 1, "no such file"),
    ):
        got, _, err = run(capsys, "render", *arguments)
        assert got == code and words in err, (arguments, err)
    for option, value in (*(("--size", size) for size in ("10", "0x5", "axb", "99999x5")), ("--scale", "force"), ("--scale", "weight=2"), ("--scale", "force=0")):
        with pytest.raises(SystemExit) as stop:
            headless.main(["render", model(), "-o", out, option, value])
        assert stop.value.code == 2


def test_run_writes_the_motion(model, tmp_path, capsys):
    import mujoco

    file = tmp_path / "motion.csv"
    code, text, _ = run(capsys, "run", model(), "--time", "0.4", "--csv", str(file), "--key", "high", "--every", "10")
    assert code == 0 and "100 steps" in text
    rows = list(csv.reader(file.open()))
    assert rows[0] == ["time", *(f"qpos:free:{k}" for k in range(7)), "qpos:hinge", *(f"qvel:free:{k}" for k in range(6)), "qvel:hinge", "ctrl:0",
                       "actuator_force:0"]
    values = np.array(rows[1:], float)
    assert values.shape == (11, len(rows[0])) and values[0, 3] == 2 and values[:, 0] == pytest.approx(0.04 * np.arange(11))
    mj = mujoco.MjModel.from_xml_string(GOOD)
    d = mujoco.MjData(mj)
    mujoco.mj_resetDataKeyframe(mj, d, 0)
    for _ in range(100):
        mujoco.mj_step(mj, d)
    assert np.allclose(values[-1, 1:9], d.qpos, atol=1e-9)


def test_run_reports_as_json_and_stops_at_divergence(model, capsys):
    code, text, _ = run(capsys, "run", model(), "--time", "0.2", "--json")
    report = json.loads(text)
    assert code == 0 and report["steps"] == 50 and len(report["qpos"]) == 8 and report["warnings"] == {}
    code, _, err = run(capsys, "run", model(WILD), "--time", "100", "--key", "0")
    assert code == 3 and "spring" in err and "diverged" in err
    code, text, _ = run(capsys, "run", model(WILD), "--time", "100", "--key", "0", "--json")
    assert code == 3 and json.loads(text)["code"] == 3
    with pytest.raises(SystemExit):
        headless.main(["run", model(), "--time", "-1"])


def test_check_lists_every_problem_with_its_place(model, capsys):
    good, bad = model(), model(BAD, "bad.xml")
    code, text, _ = run(capsys, "check", good)
    assert code == 0 and text.strip() == f"{good}: ok"
    code, text, _ = run(capsys, "check", good, bad, "missing.xml")
    assert code == 1 and "bad.xml:3:" in text and "bad.xml:4:" in text and "no such file" in text
    robot = '<robot name="r"><link name="a"><collision><geometry><sphere radius="%s"/></geometry></collision></link></robot>'
    code, text, _ = run(capsys, "check", model(robot % 1, "good.urdf"), model(robot % "x", "bad.urdf"))
    assert code == 1 and "good.urdf: ok" in text and "bad.urdf:1:" in text and "'x' is not a number" in text
    code, text, _ = run(capsys, "check", good, bad, "missing.xml")
    for word in ("hinje", "bogus", "abc"):
        assert word in text
    code, text, _ = run(capsys, "check", bad, "--json")
    report = json.loads(text)["models"][0]
    assert code == 1 and report["verdict"] == "has errors" and len(report["issues"]) >= 3
    assert {i["line"] for i in report["issues"]} == {3, 4} and all(i["column"] > 0 for i in report["issues"])


def test_notes_are_reported_and_harmless_and_white_textures_count(model, tmp_path, capsys):
    corners = 'vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3" face="0 2 1 0 1 3 1 2 3 0 3 2 0 0 1"'
    code, text, _ = run(capsys, "check", model(f'<mujoco><asset><mesh name="m" {corners}/></asset></mujoco>'), "--strict")
    assert code == 0 and "note: triangles without area in 1 mesh: 'm' has 1" in text
    white = model('<mujoco><asset><texture type="2d" file="none.png" embed="false"/></asset></mujoco>', "white.xml")
    assert run(capsys, "check", white)[0] == 0
    code, text, _ = run(capsys, "check", white, "--strict")
    assert code == 1 and "white.xml:1:" in text and "none.png was not found" in text
    code, _, err = run(capsys, "render", white, "-o", str(tmp_path / "w.png"), "--size", "64x48")
    assert code == 0 and "none.png was not found" in err


def test_models_that_can_only_be_viewed(model, tmp_path, capsys):
    path = model(GOOD.replace("<option", "<option><flag speculative=\"enable\"/></option><option", 1))
    code, text, _ = run(capsys, "check", path)
    assert code == 0 and "can be viewed only" in text and "speculative" in text
    assert run(capsys, "check", path, "--strict")[0] == 1
    assert run(capsys, "render", path, "-o", str(tmp_path / "v.png"), "--size", "64x48")[0] == 0
    code, _, err = run(capsys, "run", path, "--time", "1")
    assert code == 1 and "speculative" in err


def test_bench_gives_speed_and_shares(model, capsys):
    code, text, _ = run(capsys, "bench", model(), "--seconds", "0.05", "--json")
    report = json.loads(text)
    assert code == 0 and report["steps_per_second"] > 1000 and sum(report["stages"].values()) == pytest.approx(1)
    assert report["us_per_step"] == pytest.approx(1e6 / report["steps_per_second"])
    assert "steps/s" in run(capsys, "bench", model(), "--seconds", "0.02")[1]


def test_no_qt_is_imported(model):
    script = f"import sys; from app import main; code = main.main(['run', {model()!r}, '--time', '0.01']); " \
             "assert not [n for n in sys.modules if n.startswith('PyQt6')]; sys.exit(code)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "3 steps" in done.stdout or "2 steps" in done.stdout


def test_a_driver_that_cannot_draw_the_size_is_named(model, tmp_path, capsys, monkeypatch):
    def refuse(*_args, **_more):
        raise moderngl.Error("the framebuffer is not complete")

    monkeypatch.setattr("render.offscreen.Offscreen.rgb", refuse)
    code, _, err = run(capsys, "render", model(), "-o", str(tmp_path / "x.png"), "--size", "900x800")
    assert code == 4 and "900 x 800" in err


TEXTURED = GOOD.replace("<worldbody>", '<asset><texture name="t" type="2d" file="pictures/t.png"/><material name="m" texture="t"/></asset>\n  <worldbody>', 1)


def test_convert_goes_round_without_losing_anything(model, tmp_path, capsys):
    import physics
    from tests.physics.writer.round_trip import ours_off

    (tmp_path / "pictures").mkdir()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(tmp_path / "pictures" / "t.png")
    start, out = model(TEXTURED), tmp_path / "out"
    out.mkdir()
    first = physics.load(start)
    here = start
    for name in ("a.xml", "b.lwb", "c.xml"):
        code, text, _ = run(capsys, "convert", here, str(out / name))
        assert code == 0 and "bytes" in text
        here = str(out / name)
        assert ours_off(first, physics.load(here)) == {}
    assert 'file="../pictures/t.png"' in (out / "a.xml").read_text() == (out / "c.xml").read_text()
    assert sorted(p.name for p in out.iterdir()) == ["a.xml", "b.lwb", "c.xml"]
    assert run(capsys, "check", str(out / "b.lwb"))[0] == 0
    (out / "b.lwb").write_bytes((out / "b.lwb").read_bytes()[:-9])
    code, text, _ = run(capsys, "check", str(out / "b.lwb"))
    assert code == 1 and "cut short" in text
    code, text, _ = run(capsys, "convert", start, str(out / "d.lwb"), "--json")
    assert code == 0 and json.loads(text)["warnings"] == []


def test_an_archive_holds_everything(model, tmp_path, capsys):
    import zipfile

    (tmp_path / "pictures").mkdir()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(tmp_path / "pictures" / "t.png")
    start = model(TEXTURED)
    assert run(capsys, "convert", start, str(tmp_path / "m.zip"))[0] == 0
    with zipfile.ZipFile(tmp_path / "m.zip") as archive:
        assert archive.namelist() == ["m.xml", "assets/t.png"]
        assert archive.read("assets/t.png") == (tmp_path / "pictures" / "t.png").read_bytes()
        assert b'file="assets/t.png"' in archive.read("m.xml")
    before = (tmp_path / "m.zip").read_bytes()
    assert run(capsys, "convert", start, str(tmp_path / "m.zip"))[0] == 0 and (tmp_path / "m.zip").read_bytes() == before
    (tmp_path / "pictures" / "t.png").unlink()
    code, _, err = run(capsys, "convert", start, str(tmp_path / "m.zip"))
    assert code == 1 and "t.png" in err and (tmp_path / "m.zip").read_bytes() == before


def test_convert_says_what_is_wrong(model, tmp_path, capsys):
    good = model()
    for arguments, code, words in (
        ((good, "x.obj"), 2, ".lwb"),
        ((good, good), 2, "replace the model"),
        ((model(BAD, "bad.xml"), str(tmp_path / "x.xml")), 1, "hinje"),
        ((good, str(tmp_path / "no" / "x.lwb")), 1, "cannot be written"),
        ((model("no model", "x.lwb"), str(tmp_path / "y.xml")), 1, "no .lwb file"),
    ):
        got, _, err = run(capsys, "convert", *arguments)
        assert got == code and words in err, (arguments, err)


def test_dump_prints_every_field(model, tmp_path, capsys):
    import physics

    code, text, _ = run(capsys, "dump", model())
    assert code == 0 and all(f"\n{name}" in text for name in physics.Model.layout.rows)
    assert "1 ball  0 0 0.5" in text and "opt_timestep                            0.004  length of a step [s]" in text
    assert run(capsys, "dump", model())[1] == text
    out = tmp_path / "data.txt"
    code, text, _ = run(capsys, "dump", model(), "--data", "--key", "high", "-o", str(out))
    assert code == 0 and "data.txt" in text and out.read_text().startswith("data at time 0\n")
    assert "\nqpos  float64 8  " in out.read_text() and "0 0 2 1 0 0 0 0.5" in out.read_text()
    assert run(capsys, "dump", model(), "-o", str(tmp_path / "no" / "x"))[0] == 1


ADHESIVE = GOOD.replace('<geom size=".2" rgba="1 0 0 1"/>', '<geom name="sticky" size=".2" adhesion="1"/>')


def test_the_engine_is_chosen_and_what_it_refuses_is_told(model, capsys, monkeypatch):
    from tests.physics.simulate.stand_in import put_in_place

    engine = put_in_place(monkeypatch)
    code, out, err = run(capsys, "run", model(), "--time", "0.04", "--engine", "hard")
    assert code == 0 and engine.taken == 10 and "cones are exact" in err
    assert run(capsys, "run", model(), "--time", "0.04", "--engine", "soft")[0] == 0 and engine.taken == 10
    code, out, err = run(capsys, "run", model(ADHESIVE), "--time", "0.04", "--engine", "hard")
    assert code == 1 and "no adhesion: geom 'sticky'" in err and "model.xml:8:" in err
    code, out, err = run(capsys, "run", model(ADHESIVE.replace("<actuator>", '<custom><text name="linkwork_engine" data="hard"/></custom><actuator>')), "--time", "0.04")
    assert code == 1 and "no adhesion" in err


def test_check_lists_what_the_hard_engine_refuses(model, capsys):
    assert "viewed only" not in run(capsys, "check", model(ADHESIVE))[1]
    code, out, _err = run(capsys, "check", model(ADHESIVE), "--engine", "hard")
    assert code == 0 and "no adhesion: geom 'sticky'" in out and "can be viewed only" in out
    assert run(capsys, "check", model(ADHESIVE), "--engine", "hard", "--strict")[0] == 1
