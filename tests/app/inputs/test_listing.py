from dataclasses import replace

import pytest

from app.inputs.listing import listed
from app.inputs.table import SOURCES


def test_every_kind_is_told_once():
    found = listed()
    assert [line.prefix for line in found] == list(SOURCES)
    by_prefix = {line.prefix: line for line in found}
    assert by_prefix["keyboard"].ready and "udev" in by_prefix["pad"].text
    assert "127.0.0.1:" in by_prefix["udp"].text and "switched on" in by_prefix["xr"].text
    assert all(line.text and "searching" not in line.text for line in found)


def test_a_missing_package_is_named():
    kinds = {"lamp": replace(SOURCES["zmq"], prefix="lamp", title="Lamp", packages=("zmq", "no_such_package"))}
    (line,) = listed(kinds)
    assert not line.ready and line.text == "needs no_such_package" and 'pip install "linkwork[teleop]"' in str(line)


def test_the_command_line_lists_without_a_model(capsys):
    from app.headless.arguments import parser

    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["teleop", "--list"])
    told = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0 and all(any(line.startswith(prefix) for line in told) for prefix in SOURCES)
