"""What a script declares at its top."""
import pytest

from app.scripts.declared import LOGGED_A_SECOND, Declared
from physics.quantities.syntax import ExpressionError
from physics.runtime import commands


def declared(**kept):
    sent, said = [], []
    return Declared(sent.append, lambda level, text: said.append((level, text)), kept), sent, said


def test_values_start_where_the_script_says_or_where_they_were():
    ui, *_ = declared(gain=7.0, on=True, shape="square", wide=500)
    assert ui.slider("gain", 0, 10, 2.0).value == 7.0 and ui.slider("other", -1, 1, 0.5).value == 0.5
    assert ui.slider("wide", 0, 10, 1.0).value == 10.0      # the range has become smaller
    assert ui.checkbox("on").value is True and ui.choice("shape", ("sine", "square")).value == "square"
    assert ui.slider("low", 2, 3).value == 2.0
    assert ui.values() == {"gain": 7.0, "wide": 10.0, "on": True, "shape": "square"}


def test_values_that_mean_nothing_any_more_are_not_taken():
    ui, *_ = declared(gain="high", on=3, shape="round")
    assert ui.slider("gain", 0, 10, 2.0).value == 2.0 and ui.checkbox("on").value is False and ui.choice("shape", ("sine", "square")).value == "sine"


@pytest.mark.parametrize("line, said", [
    (lambda ui: ui.slider("a", 1, 1), "no range"), (lambda ui: ui.slider("a", 0, float("inf")), "no range"), (lambda ui: ui.slider("a", 0, 1, 2), "not between"),
    (lambda ui: ui.choice("a", ()), "nothing"), (lambda ui: ui.choice("a", ("x", "y"), "z"), "none of x, y"),
    (lambda ui: (ui.slider("a", 0, 1), ui.checkbox("a")), "already"), (lambda ui: ui.plot(), "name a quantity"),
])
def test_mistakes_are_told(line, said):
    with pytest.raises(ValueError, match=said):
        line(declared()[0])


def test_a_plot_of_what_is_no_expression_is_told_with_its_column():
    with pytest.raises(ExpressionError):
        declared()[0].plot("qpos[")


def test_buttons_leave_the_function_what_it_is():
    ui, *_ = declared()

    @ui.button("Kick")
    def kick(m, d):
        return 5

    @ui.key("K")
    def kicks(m, d):
        return 6

    assert kick(0, 0) == 5 and [(b.name, b.keys) for b in ui.buttons] == [("Kick", ""), ("K", "K")]
    with pytest.raises(ValueError, match="already"):
        ui.button("Kick")(kick)
    with pytest.raises(TypeError):
        ui.button("Other")(7)


def test_nothing_is_declared_late():
    ui, *_ = declared()
    ui.close()
    for line in (lambda: ui.slider("a", 0, 1), lambda: ui.plot("time"), lambda: ui.button("x")(print)):
        with pytest.raises(RuntimeError, match="top of the script"):
            line()


def test_verbs_are_commands_and_the_log_is_not_flooded():
    ui, sent, said = declared()
    ui.run()
    ui.pause()
    ui.reset()
    assert [type(command) for command in sent] == [commands.Run, commands.Pause, commands.Reset]
    for k in range(3 * LOGGED_A_SECOND):
        ui.log(k)
    assert said[0] == ("info", "0") and len(said) == LOGGED_A_SECOND + 1 and said[-1][0] == "warning"
