"""What a file name's ending asks for."""
import pytest

import physics


@pytest.mark.parametrize("name", ["m.urdf", "m.txt", "m"])
def test_only_formats_that_are_written_are_taken(tmp_path, name):
    model = physics.load_string("<mujoco/>")
    with pytest.raises(ValueError, match="written as .xml, .zip or .lwb"):
        physics.save(model, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_path_that_no_file_can_have_is_a_model_error():
    with pytest.raises(physics.ModelError, match="cannot be read"):
        physics.load("a\0b.xml")
