"""What is remembered between launches."""
from pathlib import Path

import pytest
from PyQt6.QtCore import QByteArray

from app.bridge.options import LOOKS
from app.settings import RECENT_COUNT, SETTINGS, Settings
from render.quality import QUALITIES


def test_every_setting_comes_back_with_its_type(tmp_path):
    usual = {str: "x", int: 77, bool: False, list: ["a", "b"], QByteArray: QByteArray(b"\x00\xff")}
    values = {name: setting.choices[-1][0] if setting.choices else setting.valid(usual[setting.type]) for name, setting in SETTINGS.items()}
    first = Settings(str(tmp_path / "s.ini"))
    for name, setting in SETTINGS.items():
        assert first.get(name) == setting.default and isinstance(first.get(name), setting.type)
        first.set(name, values[name])
    first.save()
    second = Settings(str(tmp_path / "s.ini"))
    for name, setting in SETTINGS.items():
        assert second.get(name) == values[name] and type(second.get(name)) is setting.type


def test_unknown_names_are_mistakes_and_damage_is_not(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    with pytest.raises(KeyError):
        settings.get("no/such")
    with pytest.raises(KeyError):
        settings.set("no/such", 1)
    (tmp_path / "t.ini").write_text("[editor]\nfont_size=large\n")
    assert Settings(str(tmp_path / "t.ini")).get("editor/font_size") == SETTINGS["editor/font_size"].default


def test_values_out_of_range_and_unknown_choices_are_not_taken(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    settings.set("view/font_scale", 4000)
    settings.set("view/theme", "pink")
    assert settings.get("view/font_scale") == 300 and settings.get("view/theme") == "dark"


def test_a_change_is_told_once_and_only_when_there_is_one(tmp_path):
    settings, told = Settings(str(tmp_path / "s.ini")), []
    settings.changed.connect(told.append)
    settings.set("view/theme", "light")
    settings.set("view/theme", "light")
    settings.reset("view/theme")
    settings.set_keys("run", ("Ctrl+R",))
    assert told == ["view/theme", "view/theme", "keys/run"] and settings.is_default("view/theme")


def test_what_the_command_line_asks_for_is_not_remembered(tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    settings.set("view/font_scale", 120)
    settings.override("view/font_scale", 200)
    settings.override("view/theme", "light")
    assert settings.get("view/font_scale") == 200 and settings.get("view/theme") == "light"
    settings.set("view/font_scale", 150)    # the user chooses: that is remembered
    settings.save()
    again = Settings(str(tmp_path / "s.ini"))
    assert again.get("view/font_scale") == 150 and again.get("view/theme") == "dark"


def test_choices_are_those_of_the_program():
    assert {choice for choice, _ in SETTINGS["view/quality"].choices} == {"auto", *QUALITIES}
    assert tuple(choice for choice, _ in SETTINGS["view/look"].choices) == LOOKS


def test_what_the_dialog_shows_is_explained():
    for name, setting in SETTINGS.items():
        assert bool(setting.title) == bool(setting.group), name
        assert setting.valid(setting.default) == setting.default
        if setting.title:
            assert setting.type in (bool, int, float, str) and setting.doc[0].isupper()
            assert (setting.low is None) == (setting.type not in (int, float)), name


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
