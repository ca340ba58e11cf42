"""A model starts at the speed that it asks for, unless the user has chosen one."""
MODEL = '<mujoco><visual><global realtime="{}"/></visual><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'


def test_a_model_starts_at_its_own_speed(workbench, tmp_path):
    (tmp_path / "slow.xml").write_text(MODEL.format(0.25))
    (tmp_path / "half.xml").write_text(MODEL.format(0.5))
    bench = workbench(tmp_path / "slow.xml")
    bench.wait(lambda: bench.snapshot.speed == 0.25 and bench.application.simulation.speed == 0.25)
    bench.application.simulation.set_speed(2.0)
    bench.session.open(tmp_path / "half.xml")
    bench.wait(lambda: bench.context.model.vis.global_.realtime == 0.5)
    assert bench.application.simulation.speed == 2.0
