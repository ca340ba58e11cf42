"""Composites become what MuJoCo 2.3.7 (cables: 3.12) made of them: recorded examples, and the corpus's models against twins that 2.3.7 saved."""
import json
from xml.sax.saxutils import quoteattr

import mujoco
import numpy as np
import pytest

from physics import ModelError, load, load_string
from physics.expand.expand import expand
from physics.mjcf.reader import read, read_text
from tests.oracle.compare import rel
from tests.oracle.compiled import compare_compiled, official_fields
from tests.oracle.corpus import require_corpus
from tests.physics.expand.composite.examples import EXAMPLES, EXPECTED, alone, inside, summary

RECORDED = json.loads(EXPECTED.read_text())
# what does not come from the model's elements: paths of files, room for them, and the view's centre, which 2.3.7 wrote into the twins
OF_THE_FILE = frozenset({"npaths", "nbuffer", "tex_pathadr", "stat.center"})
SAVED_DIGITS = 1e-5  # the twins hold six digits


def as_text(element) -> str:
    attrs = "".join(f" {name}={quoteattr(value)}" for name, value in element.attrs.items())
    return f"<{element.tag}{attrs}>{''.join(map(as_text, element.children))}</{element.tag}>"


def expanded_text(read_result) -> str:
    """The expanded tree as MJCF, for the official compiler of 4.0."""
    expanded = expand(read_result)
    assert not [issue for issue in (*read_result.issues, *expanded.issues) if issue.severity == "error"]
    return as_text(expanded.root)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_become_what_the_old_release_made_of_them(name):
    official = mujoco.MjModel.from_xml_string(expanded_text(read_text(EXAMPLES[name])))
    found, expected = summary(official), RECORDED[name]
    assert found.pop("names") == expected.pop("names")
    off = {key: (found[key], value) for key, value in expected.items() if not np.allclose(found[key], value, rtol=1e-8, atol=1e-9)}
    assert not off


@pytest.mark.parametrize("name", EXAMPLES)
def test_our_compiler_reads_the_made_elements_as_the_official_one(name):
    official = mujoco.MjModel.from_xml_string(expanded_text(read_text(EXAMPLES[name])))
    checked, off = compare_compiled(load_string(EXAMPLES[name]), official)
    assert checked > 400 and not off


@pytest.mark.parametrize("name", ["grid1pin", "grid2", "loop", "rope", "cloth", "softbox", "softcylinder", "softellipsoid"])
def test_corpus_models_equal_the_twins_that_the_old_release_saved(name):
    folder = require_corpus() / "legacy_composite"
    assets = {path.name: path.read_bytes() for path in folder.glob("*.png")}
    ours = mujoco.MjModel.from_xml_string(expanded_text(read(folder / f"{name}.xml")), assets)
    twin = mujoco.MjModel.from_xml_path(str(folder / f"expanded_{name}.xml"))
    assert ours.names == twin.names
    mine = official_fields(ours)
    off = {field: rel(mine[field], value) for field, value in official_fields(twin).items() if field not in OF_THE_FILE}
    assert not {field: distance for field, distance in off.items() if distance > SAVED_DIGITS}


def test_a_corpus_model_compiles_as_its_expansion_does():
    folder = require_corpus() / "legacy_hammock"
    official = mujoco.MjModel.from_xml_string(expanded_text(read(folder / "hammock.xml")))
    checked, off = compare_compiled(load(folder / "hammock.xml"), official)
    assert checked > 400 and not off


def test_the_read_tree_stays_and_messages_point_at_the_composite():
    result = read_text(EXAMPLES["rope"])
    expanded = expand(result)
    assert any(element.tag == "composite" for element in result.root.walk())
    assert not any(element.tag == "composite" for element in expanded.root.walk())
    made = next(element for element in expanded.root.walk() if element.name == "G3")
    assert made.place == next(element for element in result.root.walk() if element.tag == "geom").place
    assert len({element.id for element in expanded.root.walk()}) == sum(1 for _ in expanded.root.walk())


def test_references_to_made_names_are_known():
    model = load_string(alone('<composite type="cable" count="4" size="1" curve="s"><geom type="capsule" size=".01"/></composite>',
                              after='<equality><connect body1="B_last" body2="B_first" anchor="0 0 0"/></equality>'))
    assert model.neq == 1 and model.eq_obj1id[0] == 3


def test_names_that_nothing_made_are_refused():
    cable = '<composite type="cable" count="4" size="1" curve="s"><geom type="capsule" size=".01"/></composite>'
    with pytest.raises(ModelError, match="unknown body 'B_lost'.*Did you mean 'B_last'"):
        load_string(alone(cable, after='<equality><connect body1="B_lost" body2="B_first" anchor="0 0 0"/></equality>'))
    with pytest.raises(ModelError, match="body name 'B_1' is already used"):
        load_string(alone(cable + '<body name="B_1"/>'))


def test_composites_are_copied_with_all_they_made():
    rope = '<body name="B0"><freejoint/><composite type="rope" count="3" spacing=".1"><joint kind="twist"/><geom size=".02"/></composite></body>'
    model = load_string(alone(f'<replicate count="2" offset="0 1 0">{rope}</replicate>'))
    assert model.nbody == 7 and model.neq == 4 and model.names["body"][1:4] == ("B00", "B10", "B20")


def test_long_chains_need_no_recursion():
    root = expand(read_text(inside("B0", '<composite type="rope" count="2000" spacing=".1"><geom size=".04"/></composite>'))).root
    assert sum(element.tag == "body" for element in root.walk()) == 2000
