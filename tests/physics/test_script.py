"""The script in the README runs as it stands there."""
import re
from pathlib import Path

import numpy as np

import physics

ROOT = Path(__file__).resolve().parents[2]


def test_the_readmes_script_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (text,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    names = {}
    exec(text, names)
    assert names["lin"].shape == (3, names["m"].nv) and np.isfinite(names["A"]).all()
    assert (names["runs"].steps == 100).all() and (names["runs"].states[0] == names["runs"].states[7]).all()
    assert (names["d"].ctrl == 0.1).all() and "[1.0" in capsys.readouterr().out


def test_no_public_name_is_a_modules():
    """Importing the module would put it in the name's place."""
    assert not [name for name, home in physics._HOMES.items() if f"physics.{name}" in physics._HOMES.values()] and physics._HOMES["step"]
