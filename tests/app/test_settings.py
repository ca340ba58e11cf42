"""What is remembered between launches."""
from pathlib import Path

import pytest
from PyQt6.QtCore import QByteArray

from app.settings import RECENT_COUNT, SETTINGS, Settings


def test_every_setting_comes_back_with_its_type(tmp_path):
    values = {str: "x", int: 7, bool: False, list: ["a", "b"], QByteArray: QByteArray(b"\x00\xff")}
    first = Settings(str(tmp_path / "s.ini"))
    for name, setting in SETTINGS.items():
        assert first.get(name) == setting.default and isinstance(first.get(name), setting.type)
        first.set(name, values[setting.type])
    first.save()
    second = Settings(str(tmp_path / "s.ini"))
    for name, setting in SETTINGS.items():
        assert second.get(name) == values[setting.type] and type(second.get(name)) is setting.type


def test_unknown_names_are_mistakes_and_damage_is_not(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    with pytest.raises(KeyError):
        settings.get("no/such")
    with pytest.raises(KeyError):
        settings.set("no/such", 1)
    (tmp_path / "t.ini").write_text("[editor]\nfont_size=large\n")
    assert Settings(str(tmp_path / "t.ini")).get("editor/font_size") == SETTINGS["editor/font_size"].default


def test_recent_files_are_few_newest_first_and_once(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    for i in range(RECENT_COUNT + 3):
        settings.add_recent(Path(f"/m{i}.xml"))
    settings.add_recent(Path("/m9.xml"))
    recent = settings.get("files/recent")
    assert recent[0] == str(Path("/m9.xml")) and len(recent) == RECENT_COUNT == len(set(recent))


def test_bound_keys_are_remembered(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    assert settings.keys("run", ("Space",)) == ("Space",)
    settings.set_keys("run", ("Ctrl+R",))
    settings.set_keys("step", ())
    settings.save()
    again = Settings(str(tmp_path / "s.ini"))
    assert again.keys("run", ("Space",)) == ("Ctrl+R",) and again.keys("step", ("Right",)) == ()
    again.set_keys("run", None)
    assert again.keys("run", ("Space",)) == ("Space",)


def test_an_old_default_that_was_stored_gives_way_to_the_new_one_and_a_choice_does_not(tmp_path):
    (tmp_path / "old.ini").write_text("[editor]\napply_delay_ms=700\n")
    settings = Settings(str(tmp_path / "old.ini"))
    assert settings.get("editor/apply_delay_ms") == 150
    settings.set("editor/apply_delay_ms", 700)   # chosen since
    settings.save()
    assert Settings(str(tmp_path / "old.ini")).get("editor/apply_delay_ms") == 700
    (tmp_path / "other.ini").write_text("[editor]\napply_delay_ms=0\n")
    assert Settings(str(tmp_path / "other.ini")).get("editor/apply_delay_ms") == 0
