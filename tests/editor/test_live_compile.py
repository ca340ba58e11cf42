"""Compiling in the background: problems come back with places, the newest request wins, nothing escapes."""
import threading

import pytest

import editor.live_compile as live
from editor.live_compile import LiveCompiler, Request, Result, asset_files, compile_text
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
    assert tmp_path / "img" / "a.png" in found and tmp_path / "a.png" not in found
    assert {tmp_path / "img" / "b.png", tmp_path / "b.png"} <= set(found)
    assert asset_files(None) == ()
