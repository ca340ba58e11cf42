"""linkwork check --lint: what it prints, its exit status, what it mends."""
import json
import zipfile

from app import headless

SUNK = """<mujoco>\r
  <asset><material name="gone"/></asset>\r
  <worldbody>\r
    <geom name="floor" type="plane" size="5 5 .1"/>\r
    <body pos="0 0 .05"><freejoint/><geom size=".1"/></body>\r
  </worldbody>\r
</mujoco>\r
"""


def run(capsys, *arguments) -> tuple[int, str]:
    code = headless.main([str(argument) for argument in arguments])
    return code, capsys.readouterr().out


def test_findings_are_printed_and_only_strict_fails_for_warnings(tmp_path, capsys):
    path = tmp_path / "m.xml"
    path.write_bytes(SUNK.encode())
    code, text = run(capsys, "check", path)
    assert code == 0 and text == f"{path}: ok\n"
    code, text = run(capsys, "check", "--lint", path)
    assert code == 0 and f"{path}:5:" in text and "[initial_penetration]" in text and text.endswith("ok, 1 warning of rules, 1 note of rules\n")
    assert run(capsys, "check", "--lint", "--strict", path)[0] == 1
    assert run(capsys, "check", "--strict", "--rule", "unused", path)[0] == 0      # a note
    code, text = run(capsys, "check", "--lint", "--json", path)
    found = json.loads(text)["models"][0]["findings"]
    assert {f["rule"] for f in found} == {"initial_penetration", "unused"} and all(f["meaning"] and f["line"] for f in found)
    assert [f["fixes"][0]["keeps_motion"] for f in found] == [False, True]


def test_only_what_leaves_the_motion_is_mended(tmp_path, capsys):
    path = tmp_path / "m.xml"
    path.write_bytes(SUNK.encode())
    code, text = run(capsys, "check", "--lint", "--fix", path)
    assert code == 0 and "mended: Remove material 'gone'" in text and "[initial_penetration]" in text and "[unused]" not in text
    assert path.read_bytes() == SUNK.replace('<material name="gone"/>', "").encode()


def test_rules_that_there_are_not_are_told(tmp_path, capsys):
    path = tmp_path / "m.xml"
    path.write_bytes(SUNK.encode())
    assert headless.main(["check", "--rule", "unusd", str(path)]) == 2
    assert "there is no rule 'unusd', but inertia_triangle" in capsys.readouterr().err


def test_what_lies_in_an_archive_is_looked_at_and_left_alone(tmp_path, capsys):
    path = tmp_path / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("m.xml", SUNK)
    before = path.read_bytes()
    code, text = run(capsys, "check", "--lint", "--fix", path)
    assert code == 0 and "[unused]" in text and path.read_bytes() == before


def test_models_that_do_not_compile_are_not_looked_at(tmp_path, capsys):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    code, text = run(capsys, "check", "--lint", path)
    assert code == 1 and "rules are for models that compile" in text
