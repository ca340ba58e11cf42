"""Colours, texts and spacing: chosen in one window, seen in all, and nothing keeps the look of before."""
import pytest
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QColor, QFontInfo, QGuiApplication, QPixmapCache
from PyQt6.QtWidgets import QApplication, QPushButton, QToolButton

from app.appearance import STEPS, USUAL_SIZE, palette_of
from assets.locate import bundled_model
from editor.widgets.section import Section
from physics.model.elements import element
from physics.runtime import commands
from tests.app.heap import in_use, is_told
from tests.app.workbench import CTRL, Key


@pytest.fixture
def bench(workbench):
    """A window with the usual look; what a test changes is put back."""
    made = workbench(bundled_model("mocap_paddle.xml"), size=(1280, 800))
    app = QApplication.instance()
    made.application.appearance.apply()
    yield made
    for name in ("view/theme", "view/accent", "view/font_scale", "view/density"):
        made.settings.reset(name)
    font = app.font()
    font.setPointSizeF(app.property(USUAL_SIZE))
    app.setFont(font)


def ground() -> int:
    """Lightness of the windows' ground."""
    return QApplication.palette().window().color().lightness()


def test_colours_can_be_light_and_dark_again(bench):
    dark = ground()
    bench.actions["theme_light"].trigger()
    assert bench.settings.get("view/theme") == "light" and dark < 128 < ground()
    bench.wait(lambda: bench.source.editor().lexer().paper(0).lightness() > 128)
    assert [bench.actions[f"theme_{name}"].isChecked() for name in ("dark", "light", "system")] == [False, True, False]
    bench.actions["theme_light"].trigger()      # once more: it stays chosen
    assert bench.actions["theme_light"].isChecked() and ground() > 128
    bench.actions["theme_dark"].trigger()
    assert ground() == dark


def test_colours_can_follow_the_desktop_and_its_changes(bench, monkeypatch):
    hints, scheme = QGuiApplication.styleHints(), Qt.ColorScheme

    class Desktop:
        """What this display has no way to say."""

        @staticmethod
        def styleHints():
            return Desktop

        @staticmethod
        def colorScheme():
            return Desktop.scheme

    Desktop.scheme = scheme.Light
    monkeypatch.setattr("app.appearance.QGuiApplication", Desktop)
    assert ground() < 128       # not asked for yet
    bench.actions["theme_system"].trigger()
    assert ground() > 128
    for Desktop.scheme, light in ((scheme.Dark, False), (scheme.Light, True), (scheme.Unknown, False)):
        hints.colorSchemeChanged.emit(Desktop.scheme)
        assert (ground() > 128) is light


def test_the_editor_keeps_its_font_when_the_colours_change(bench):
    editor = bench.source.editor()
    fixed = QFontInfo(editor.lexer().font(0)).family()
    assert fixed != QFontInfo(QApplication.font()).family()
    for theme in ("light", "dark"):
        bench.actions[f"theme_{theme}"].trigger()
        bench.wait(lambda: (editor.lexer().paper(0).lightness() > 128) == (theme == "light"))
        assert QFontInfo(editor.lexer().font(0)).family() == fixed
        assert QFontInfo(editor.lexer().font(5)).family() == fixed      # of every style


def test_titles_are_seen_after_the_colours_change(bench):
    """The light colours and back: no title keeps the ink of the other ones."""
    title = bench.panel("simulation").findChild(Section).findChild(QToolButton)
    for theme in ("light", "dark"):
        bench.settings.set("view/theme", theme)
        bench.pictures()

        def contrast_of_title() -> int:
            picture = bench.window.grab(QRect(title.mapTo(bench.window, QPoint(0, 0)), title.size())).toImage()
            lights = [QColor(picture.pixel(x, y)).lightness() for x in range(picture.width()) for y in range(picture.height())]
            return max(lights) - min(lights)

        bench.wait(lambda: contrast_of_title() > 100)


def test_links_have_the_colour_of_the_theme(bench):
    """Those of texts that were there before kept the other one's, which cannot be read on this ground."""
    inspector = bench.panel("inspector")
    bench.context.select_elements((element(bench.context.model, "geom", bench.context.model.ngeom - 1),))
    bench.wait(lambda: "<a " in inspector.title.text() and not inspector.title.visibleRegion().isEmpty())

    def drawn(colour: QColor) -> bool:
        """Whether the line below a link has it."""
        picture = inspector.title.grab().toImage()
        return any(QColor(picture.pixel(x, y)) == colour for x in range(picture.width()) for y in range(picture.height()))

    links = {theme: palette_of(theme).link().color() for theme in ("dark", "light")}
    for theme, other in (("light", "dark"), ("dark", "light")):
        bench.settings.set("view/theme", theme)
        bench.wait(lambda theme=theme: drawn(links[theme]))
        assert not drawn(links[other])


def test_texts_grow_and_shrink_by_keys_everywhere(bench):
    editor, label = bench.source.editor(), bench.panel("simulation").findChild(Section).findChild(QToolButton)

    def sizes():
        return label.fontMetrics().height(), editor.lexer().font(0).pointSizeF(), bench.window.menuBar().fontMetrics().height()

    before = sizes()
    bench.press_key(Key.Key_Plus, CTRL)
    assert bench.settings.get("view/font_scale") == 110
    bench.settings.set("view/font_scale", 200)
    bench.wait(lambda: all(1.8 < large / small < 2.2 for small, large in zip(before, sizes())))
    assert bench.application.overlay.scale == 2
    bench.press_key(Key.Key_Minus, CTRL)
    assert bench.settings.get("view/font_scale") == 175
    bench.press_key(Key.Key_0, CTRL)
    bench.wait(lambda: sizes() == before)


def test_texts_stop_at_the_smallest_and_the_largest(bench):
    for direction, end in ((1, STEPS[-1]), (-1, STEPS[0])):
        for _ in range(2 * len(STEPS)):
            bench.application.appearance.step(direction)
        assert bench.settings.get("view/font_scale") == end


def test_spacing_changes_heights_and_comes_back(bench):
    panel = bench.panel("simulation")
    button = panel.findChildren(QToolButton)[0]
    bench.settings.set("view/density", "normal")
    normal = bench.steady(lambda: panel.sizeHint().height())
    bench.settings.set("view/density", "compact")
    bench.wait(lambda: panel.sizeHint().height() < normal)
    bench.settings.set("view/density", "wide")
    bench.wait(lambda: panel.sizeHint().height() > normal)
    bench.settings.set("view/density", "normal")
    bench.wait(lambda: panel.sizeHint().height() == normal)
    assert button.isVisible()


def test_an_accent_colour_is_taken_and_nonsense_is_not(bench):
    bench.settings.set("view/accent", "#2266cc")
    assert QApplication.palette().highlight().color().name() == "#2266cc"
    bench.settings.set("view/accent", "no colour")
    assert QApplication.palette().highlight().color() == palette_of("dark").highlight().color()
    assert palette_of("light", "#ffffaa").highlightedText().color().lightness() < 128       # dark letters on a light ground


def test_the_titles_of_panels_grow_with_the_texts(bench):
    def inked() -> int:
        """How wide the title of a panel is written."""
        dock = bench.docks.docks["controls"]
        dock.raise_()
        picture = dock.grab(QRect(0, 0, 140, dock.widget().y())).toImage()
        ground = QColor(picture.pixel(138, picture.height() - 1)).lightness()
        columns = [x for x in range(130) if any(abs(QColor(picture.pixel(x, y)).lightness() - ground) > 60 for y in range(picture.height()))]
        return max(columns) - min(columns)

    before = inked()
    bench.settings.set("view/font_scale", 150)
    bench.wait(lambda: 1.3 < inked() / before < 1.7)


def test_the_sides_grow_with_the_texts_and_one_steps_aside_where_there_is_no_room(bench):
    bench.docks.show("controls")
    bench.settled()
    width = bench.steady(lambda: bench.docks.docks["controls"].width())
    bench.settings.set("view/font_scale", 120)
    bench.wait(lambda: 1.1 < bench.docks.docks["controls"].width() / width < 1.3)
    assert bench.docks.open_docks("left")
    bench.settings.set("view/font_scale", 250)
    bench.wait(lambda: not bench.docks.open_docks("left"))
    bench.settings.set("view/font_scale", 100)
    bench.wait(lambda: bench.docks.open_docks("left") and abs(bench.docks.docks["controls"].width() - width) < 12)


@pytest.mark.parametrize("scale", [200, 300])
def test_a_narrow_window_holds_its_bars_with_large_texts(bench, scale):
    status, timeline = bench.window.status, bench.window.timeline
    bench.settings.set("view/font_scale", scale)
    bench.window.resize(1024, 640)
    bench.actions["run"].trigger()
    bench.runner.send(commands.SetOption("gravity", -5.0, 2))
    bench.context.log("warning", "A message that is rather long: it says in many words what could not be carried over to the new model")
    bench.context.busy("Compiling the physics engine: 12 of 340 (once)", 0.3, "kernels")
    bench.wait(lambda: bench.snapshot.running and status.changed.isVisible() and status.progress.isVisible() and status.message.isVisible())
    bench.pictures()
    assert bench.window.width() == 1024 and bench.window.minimumSizeHint().width() <= 1024
    for item in (status.changed, status.speed, status.time, timeline.speed, timeline.axis):
        room = item.visibleRegion().boundingRect()
        assert room.width() == item.width() > 0
    assert status.changed.width() >= status.changed.sizeHint().width()      # what wants attention is not cut short
    bench.wait(lambda: bench.host.width() >= 0.3 * 1024)


def test_names_of_sliders_can_be_read_with_large_texts(bench):
    bench.panel("joints")
    bench.settings.set("view/font_scale", 200)
    bench.window.resize(1024, 640)
    bench.wait(lambda: bench.docks.docks["joints"].width() > 300)
    rows = bench.docks.panels["joints"].list.made
    bench.wait(lambda: all(row._label.width() > 100 for row in rows.values() if not row.visibleRegion().isEmpty()))


def test_warnings_and_errors_can_be_read_in_both_themes(bench):
    log = bench.panel("log")
    for theme in ("dark", "light"):
        bench.context.log("warning", "Take care")
        bench.context.log("error", "It broke")
        bench.settings.set("view/theme", theme)
        status, palette = bench.window.status, QApplication.palette()
        assert contrast(status.message.colour, palette.window().color()) >= 4.5, theme
        bench.context.log("warning", "Take care again")
        assert contrast(status.message.colour, palette.window().color()) >= 4.5, theme
        seen = {}
        for word in ("care", "broke"):
            found = log.text.document().find(word)
            seen[word] = found.charFormat().foreground().color()
            assert contrast(seen[word], log.text.palette().base().color()) >= 4.5, theme
        assert seen["care"] != seen["broke"]


def contrast(text: QColor, ground: QColor) -> float:
    """Contrast of two colours as WCAG 2 has it, 1 to 21."""
    def luminance(colour: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.getRgbF()[:3]]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    dark, light = sorted((luminance(text), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.skipif(not is_told(), reason="the C library does not tell what is in use")
def test_buttons_of_every_size_that_was_ever_drawn_take_little_memory(bench):
    button = QPushButton("Step")
    for width in range(100, 400):
        button.resize(width, 40)
        button.grab()
    full = in_use()
    QPixmapCache.clear()        # nothing of other threads comes in between
    assert full - in_use() < 6e6      # by Qt's own limit ten
