"""A model starts at the speed that it asks for, unless the user has chosen one."""
MODEL = '<mujoco><visual><global realtime="{}"/></visual><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'


def models(folder, *speeds):
    """Files of models that ask for these speeds."""
    paths = [folder / f"at{speed}.xml" for speed in speeds]
    for path, speed in zip(paths, speeds, strict=True):
        path.write_text(MODEL.format(speed))
    return paths


def open_model(bench, path):
    """Open a model and wait until it is there."""
    bench.session.open(path)
    bench.wait(lambda: bench.context.model.source[0] == str(path))


def test_a_model_starts_at_its_own_speed(workbench, tmp_path):
    slow, half = models(tmp_path, 0.25, 0.5)
    bench = workbench(slow)
    bench.wait(lambda: bench.snapshot.speed == 0.25 and bench.application.simulation.speed == 0.25)
    bench.application.simulation.set_speed(2.0)
    open_model(bench, half)
    assert bench.context.model.vis.global_.realtime == 0.5 and bench.application.simulation.speed == 2.0


def test_the_speed_that_a_model_asks_for_does_not_stay_for_the_next_one(workbench, tmp_path):
    slow, half, plain = models(tmp_path, 0.25, 0.5, 1)
    bench = workbench(slow)
    for path, speed in ((half, 0.5), (plain, 1.0), (slow, 0.25)):
        open_model(bench, path)
        assert bench.application.simulation.speed == speed
    bench.wait(lambda: bench.snapshot.speed == 0.25)


def test_real_time_that_the_user_chose_stays_whatever_a_model_asks_for(workbench, tmp_path):
    slow, half = models(tmp_path, 0.25, 0.5)
    bench = workbench(slow)
    bench.application.simulation.set_speed(1.0)
    open_model(bench, half)
    assert bench.application.simulation.speed == 1.0


def test_an_edit_or_another_name_is_no_reason_for_another_speed(workbench, tmp_path):
    plain, = models(tmp_path, 1)
    bench = workbench(plain)
    model = bench.context.model
    bench.session.set_text(str(plain), MODEL.format(0.5))
    assert bench.session.save_as(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model is not model)
    assert bench.context.model.vis.global_.realtime == 0.5 and bench.application.simulation.speed == 1
