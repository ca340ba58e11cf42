"""Screenshots of the document's tree."""
import sys
from pathlib import Path
sys.path.insert(0, "/tmp/i/tree")
import pytest
from tests.app.conftest import workbench  # noqa
from tests.journeys.tree_hands import *
from tests.oracle.corpus import corpus_file
from tests.journeys.hands import strike
from tests.app.workbench import CTRL, Key

def test_shots(workbench, tmp_path):
    out = Path("/tmp/i/tree.tmp")
    bench = workbench(corpus_file("menagerie_google_barkour_vb/scene.xml"), size=(1500, 950))
    strike(Key.Key_3, CTRL)
    panel = panel_of(bench)
    select(bench, element(bench, "body", "upper_leg_front_left"))
    bench.pictures()
    bench.window.grab().save(str(out / "dark.png"))
    QTest.mouseClick(panel.add_button, Button.LeftButton, NONE, panel.add_button.rect().center())
    menu = opened(bench)
    QTest.qWait(200)
    menu.grab().save(str(out / "menu.png"))
    menu.close()
    menu = menu_on(bench, element(bench, "body", "upper_leg_front_left"))
    QTest.qWait(200)
    menu.grab().save(str(out / "menu2.png"))
    menu.close()
    bench.settings.set("view/theme", "light")
    panel.search.setText("leg class:hip")
    QTest.qWait(400)
    bench.pictures()
    bench.window.grab().save(str(out / "light.png"))
    panel.search.setText("")
    bench.settings.set("view/theme", "dark")
    panel.search.setText("front")
    QTest.qWait(500)
    bench.pictures()
    bench.window.grab().save(str(out / "dark.png"))
    panel.search.setText("")
    bench.settings.set("view/font_scale", 160)
    QTest.qWait(800)
    for name in ("document", "outliner"):
        p = bench.panel(name)
        QTest.qWait(300)
        print(name, p.isVisible(), p.geometry(), p.visibleRegion().isEmpty(), bench.window.geometry(), bench.window.minimumSizeHint())
        bench.window.grab().save(str(out / f"large_{name}.png"))
