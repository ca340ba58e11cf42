"""What a view keeps between pictures."""
import threading

from app.bridge.model_visuals import prepared
from app.viewport import view
from assets.locate import bundled_model
from physics.compiler.compile import load
from physics.model.elements import element


def test_visuals_made_for_a_model_wait_until_it_is_drawn(workbench):
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.pictures()
    bench.context.prepared = made = prepared(load(bundled_model("pendulum.xml")))
    bench.pictures(3)       # of the Model that still runs
    assert bench.context.prepared is made
    bench.context.prepared = prepared(bench.context.model)
    bench.pictures(3)
    assert bench.context.prepared is None


def test_a_model_that_has_gone_is_not_kept_by_what_was_selected_in_it(workbench):
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.context.select_elements((element(bench.context.model, "geom", 0),))
    bench.application.text_selection.elements_at(bench.context.model.places["geom"][0])
    bench.pictures(3)
    bench.context.select_nothing()
    before = bench.context.model
    bench.session.open(bundled_model("pendulum.xml"), run=False)
    bench.wait(lambda: bench.context.model is not before)
    bench.pictures(4)
    drawer = bench.viewport._drawer
    assert drawer._outlined is None


def test_another_model_begins_with_new_programs_where_there_are_many_and_an_edit_never(workbench, monkeypatch):
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.pictures(3)
    viewport, session = bench.viewport, bench.session
    first, picture = viewport.renderer, viewport.image()
    assert 0 < len(first.programs) <= view.MOST_PROGRAMS

    def show(name):
        before = bench.context.model
        session.open(bundled_model(name), run=False)
        bench.wait(lambda: bench.context.model is not before)
        bench.pictures(4)
        return viewport.renderer

    assert show("pendulum.xml") is show("arm.xml") is first
    monkeypatch.setattr(view, "MOST_PROGRAMS", 3)
    text = session.document.main.text
    for other in (text.replace("</worldbody>", "<geom size='0.01'/></worldbody>"), text):
        before = bench.context.model
        session.set_text(session.document.main_key, other)
        session.apply()
        bench.wait(lambda before=before: bench.context.model is not before)
        bench.pictures(3)
    assert viewport.renderer is first
    second = show("pendulum.xml")
    assert second is not first and show("arm.xml") not in (first, second) and len(viewport.renderer.programs) <= 20
    assert viewport.image() == picture


def test_nobody_waits_for_the_picture_under_way_when_the_renderer_is_renewed(workbench, monkeypatch):
    monkeypatch.setenv("LINKWORK_HOST", "image")    # which draws in a thread of its own, on any machine
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.pictures(3)
    host, first = bench.host, bench.viewport.renderer
    assert host.aside
    stands, steps = threading.Event(), first.steps

    def standing(*args, **options):
        assert stands.wait(20)
        return (yield from steps(*args, **options))

    first.steps = standing
    host.ask()
    host.restart(at_once=False)
    assert host.drawing and bench.viewport.renderer is first
    stands.set()
    bench.pictures(2)
    assert bench.viewport.renderer is not first
