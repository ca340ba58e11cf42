"""Compiling in the background: problems come back with places, the newest request wins, nothing escapes."""
import os
import threading
import time

import pytest

import editor.live_compile as live
from editor.asset_files import asset_files
from editor.live_compile import LiveCompiler, Request, Result, compile_text
from physics.mjcf.reader import read_text

GOOD = "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def request(text, **more):
    return Request(text, more.pop("name", "m.xml"), None, **more)


def test_a_good_text_becomes_a_model():
    result = compile_text(request(GOOD))
    assert result.model.nq == 7 and result.issues == () and result.sources == {"m.xml": GOOD}


@pytest.mark.parametrize(("text", "line", "part"), [
    ("<mujoco>\n <worldbody>\n  <geom size='.1'", 3, ""),
    ("<mujoco>\n <worldbody>\n  <geom siz='.1'/>\n </worldbody>\n</mujoco>", 3, "siz"),
    ("<mujoco>\n <worldbody>\n  <geom size='.1 x'/>\n </worldbody>\n</mujoco>", 3, "x"),
    ("<mujoco>\n <include file='nowhere.xml'/>\n</mujoco>", 2, "nowhere.xml"),
    ("", 0, ""),
])
def test_problems_come_back_with_their_places(text, line, part):
    result = compile_text(request(text))
    assert result.model is None and result.issues
    assert any(issue.severity == "error" and part in issue.what and (issue.place.line == line or not line) for issue in result.issues), result.issues


def test_a_missing_asset_is_a_problem_but_the_model_is_there():
    result = compile_text(request(GOOD.replace("<worldbody>", "<asset>\n<texture name='t' type='2d' file='none.png'/><mesh name='m' file='none.stl'/></asset><worldbody>")))
    texture, mesh = sorted(result.issues, key=lambda issue: issue.place)
    assert "none.png" in texture.what and texture.severity == "warning" and texture.place.line == 2
    assert "none.stl" in mesh.what and mesh.severity == "view" and result.model.view_only == (mesh,)


def test_an_asset_beside_the_models_folder_is_watched_by_its_plain_path(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "floor.png").write_bytes(b"")
    text = '<mujoco><compiler texturedir="../pictures"/><asset><texture type="2d" file="floor.png"/><texture name="gone" type="2d" file="../gone.png"/></asset></mujoco>'
    found = asset_files(read_text(text, name=str(tmp_path / "models" / "m.xml"), base_dir=str(tmp_path / "models")))
    assert found == (tmp_path / "pictures" / "floor.png", tmp_path / "gone.png")


def test_unsaved_included_text_is_read_in_place_of_the_file(tmp_path):
    part = tmp_path / "part.xml"
    part.write_text("<mujoco><worldbody><geom name='disk' size='.1'/></worldbody></mujoco>")
    main = "<mujoco><include file='part.xml'/></mujoco>"
    files = {str(part): part.read_text().replace("disk", "window")}
    result = compile_text(Request(main, str(tmp_path / "m.xml"), str(tmp_path), files))
    assert result.model.names["geom"] == ("window",) and set(result.sources) == {str(tmp_path / "m.xml"), str(part)}


def test_a_bug_in_the_compiler_becomes_an_issue(monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("physics.compiler.compile.compile_root", fail)
    result = compile_text(request(GOOD))
    assert result.model is None and "ZeroDivisionError" in result.issues[0].what


def test_the_newest_request_wins(monkeypatch):
    started, go_on, done = threading.Event(), threading.Event(), []
    heard = threading.Event()

    def slow(asked, _between):
        started.set()
        assert go_on.wait(30)
        return Result(asked, None, (), {})

    def tell(result):
        done.append(result.request.text)
        heard.set()

    monkeypatch.setattr(live, "compile_text", slow)
    compiler = LiveCompiler(tell)
    compiler.submit(request("1"))
    assert started.wait(30)
    for text in "234":
        compiler.submit(request(text))
    assert compiler.busy
    go_on.set()
    assert heard.wait(30) and done == ["4"]
    compiler.close()


def test_assets_are_watched_even_while_missing(tmp_path):
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a.png").write_bytes(b"")
    text = """<mujoco><compiler texturedir="img"/><asset><texture name="a" type="2d" file="a.png"/><texture name="b" type="2d" file="b.png"/></asset></mujoco>"""
    read = read_text(text, name=str(tmp_path / "m.xml"), base_dir=str(tmp_path))
    found = asset_files(read)
    assert found == (tmp_path / "img" / "a.png", tmp_path / "img" / "b.png")
    assert asset_files(None) == ()


def test_all_files_that_the_compiler_looks_for_are_watched(tmp_path):
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand" / "hand.xml").write_text("""<mujoco model="hand"><compiler meshdir="parts" strippath="true"/>
      <asset><mesh file="elsewhere/palm.obj"/><texture name="t" type="2d" file="palm.png"/></asset>
      <worldbody><body name="palm"><geom type="mesh" mesh="palm"/></body></worldbody></mujoco>""")
    text = """<mujoco><compiler assetdir="common" meshdir="meshes"/><include file="part.xml"/>
      <asset><mesh file="arm.obj"/><mesh name="r" file="package://robot/arm.stl"/><hfield name="h" file="h.png"/><texture name="s" type="skybox" fileback="b.png" filefront="f.png"/>
        <model name="hand" file="hand/hand.xml"/><model name="gone" file="gone.xml"/></asset>
      <worldbody><flexcomp name="f" type="mesh" file="soft.obj"/><frame><attach model="hand" body="palm" prefix="r_"/></frame></worldbody>
      <deformable><skin name="k" file="k.skn"/></deformable></mujoco>"""
    (tmp_path / "part.xml").write_text('<mujoco><asset><mesh file="part.obj"/></asset></mujoco>')
    result = compile_text(Request(text, str(tmp_path / "m.xml"), str(tmp_path)))
    found = asset_files(result.read)
    names = {os.path.relpath(path, tmp_path) for path in found}
    assert {"meshes/arm.obj", "meshes/part.obj", "meshes/h.png", "common/b.png", "common/f.png", "meshes/soft.obj", "meshes/k.skn", "hand/parts/palm.obj", "hand/palm.png", "gone.xml"} <= names
    assert any(name.endswith("robot/arm.stl") for name in names) and "hand/elsewhere/palm.obj" not in names


@pytest.mark.parametrize("where", ["quick", "done"])
def test_the_thread_outlives_what_fails_in_it(monkeypatch, where):
    told, hooked, heard = [], [], threading.Event()
    monkeypatch.setattr(threading, "excepthook", hooked.append)

    def quick(asked):
        raise ZeroDivisionError("oops")

    def done(result):
        if where == "done" and result.model is not None and not told:
            raise ZeroDivisionError("oops")
        told.append(result)
        heard.set()

    compiler = LiveCompiler(done, quick=quick)
    compiler.submit(request(GOOD, quick=where == "quick"))
    assert heard.wait(60) and [one.exc_type for one in hooked] == [ZeroDivisionError]
    assert (told[0].model is not None) if where == "quick" else ("ZeroDivisionError" in told[0].issues[0].what)
    heard.clear()
    compiler.submit(request(GOOD))
    assert heard.wait(60) and told[-1].model is not None
    for _ in range(200):
        if not compiler.busy:
            break
        time.sleep(0.05)
    assert not compiler.busy
    compiler.close()
