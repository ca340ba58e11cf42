"""Few loose modules, small folders, and the field's words in every name."""
from __future__ import annotations

import ast

import pytest

from tests.architecture.layout import LARGEST_FOLDER, MOST_LOOSE, folder_sizes
from tests.architecture.retired_words import RETIRED, STANDARD, _pattern, found_in, names, retired_names, still
from tests.architecture.sources import Source, refuse

# every word of the table that the names were cleared of, at the place where it stood
TABLE = {
    "physics/engine/collide/convex/": "share polish settles drum block round cloud corner tip more seeds near pair",
    "physics/engine/solve/": "unit sol_edge sets tree_rows panel row_plan hang deep_direction exact_diagonal metric metric_rows backbone dual_row half_solve",
    "physics/fields/": "ccd_weight sol_unit metric_rows dual_row half_solve nap_run",
    "physics/engine/sleep/": "nap_run put_by bring_back take_rest rest_time",
    "physics/engine/inertia/": "reaction",
    "physics/engine/kinematics/": "probe jut enclosure",
    "physics/compiler/": "ask rejects told said workshop album wish ghosts workpiece pull probe",
    "physics/runtime/": "hand hold taken_point catch reel moment",
    "physics/simulate/": "ask rejects told said rolling refusals nearest motion positions",
    "physics/query/": "refusals nearest motion positions",
    "physics/derivatives/": "exact_forces nudges known",
    "render/passes/": "footing paint surroundings grain reckon",
    "app/bridge/": "pen told said",
    "app/film/": "studio reel sink catch moment",
    "app/viewport/": "hand hold taken_point",
}
CASES = [(folder, word) for folder, words in TABLE.items() for word in words.split()]


def test_few_modules_of_physics_are_loose():
    assert 0 < folder_sizes()["physics"] <= MOST_LOOSE


def test_no_folder_is_crowded():
    refuse([f"{folder}: {n} Python files" for folder, n in folder_sizes().items() if n > LARGEST_FOLDER])


def test_no_name_says_a_retired_word():
    refuse([str(f) for f in retired_names() if (f.path, f.name) not in still()])


def test_retired_words_are_found_in_every_kind_of_name():
    text = "GHOSTS = 1\nclass Workshop:\n    wish: int\n    def __init__(self, album):\n        self.told = album\n\ndef my_workshop(ghost): ...\n"
    found = list(names(Source("physics/compiler/x.py", "physics.compiler.x", text, ast.parse(text))))
    assert {"x", "GHOSTS", "Workshop", "wish", "album", "told", "my_workshop", "ghost"} <= set(found)


@pytest.mark.parametrize(("folder", "word"), CASES)
def test_every_word_of_the_table_is_found_where_it_stood(folder, word):
    camel = word.title().replace("_", "")
    for name, text in ((word, "x = 1\n"), ("new", f"def {word}(): ...\n"), ("new", f"def fast_{word}_of_two(): ...\n"), ("new", f"class {camel}: ...\n")):
        assert found_in(Source(f"{folder}{name}.py", f"{folder}{name}".replace("/", "."), text, ast.parse(text))), (name, text)


def test_exceptions_are_still_needed():
    assert STANDARD <= {(f.path, f.name) for f in retired_names(exceptions=frozenset())}


def test_words_match_whole_parts_of_names():
    polish, near = _pattern("polish"), _pattern("=near drum")
    assert polish.search("polish_flat") and polish.search("fast_polish") and not polish.search("polished")
    assert near.search("near") and not near.search("near_plane") and near.search("all_drums") and not near.search("drummer")
    assert all(r.words and r.folders and r.standard for r in RETIRED) and all(len(pair) == 2 for pair in STANDARD)
