"""What a view keeps between pictures."""
from app.bridge.model_visuals import prepared
from assets.locate import bundled_model
from physics.compiler.compile import load


def test_visuals_made_for_a_model_wait_until_it_is_drawn(workbench):
    bench = workbench(bundled_model("arm.xml"), size=(800, 600))
    bench.pictures()
    bench.context.prepared = made = prepared(load(bundled_model("pendulum.xml")))
    bench.pictures(3)       # of the Model that still runs
    assert bench.context.prepared is made
    bench.context.prepared = prepared(bench.context.model)
    bench.pictures(3)
    assert bench.context.prepared is None
