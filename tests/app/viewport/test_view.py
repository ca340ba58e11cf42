"""What a view keeps between pictures."""
from app.bridge.model_visuals import prepared
from assets.locate import bundled_model
from physics.compiler.compile import load
from physics.model.elements import element
from render.gpu import programs


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
    assert drawer._outlined is None and bench.application.text_selection._by_place is None


def test_another_model_begins_without_the_programs_of_the_last_one_and_an_edit_with_them(workbench, monkeypatch):
    monkeypatch.setattr(programs, "FEW", 0)
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.pictures(3)

    def surfaces():
        made = bench.viewport.renderer.programs
        return [made._compiled[key] for key in made._used]

    first, before = surfaces(), bench.context.model
    session = bench.session
    session.set_text(session.document.main_key, session.document.main.text.replace("</worldbody>", "<geom size='0.01'/></worldbody>"))
    session.apply()
    bench.wait(lambda: bench.context.model is not before)
    bench.pictures(3)
    assert first and set(first) <= set(surfaces())
    before = bench.context.model
    bench.session.open(bundled_model("pendulum.xml"), run=False)
    bench.wait(lambda: bench.context.model is not before)
    bench.pictures(4)
    assert surfaces() and not set(first) & set(surfaces())
