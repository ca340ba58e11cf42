"""Few loose modules, small folders, and the field's words in every name."""
from __future__ import annotations

import ast

from tests.architecture.layout import LARGEST_FOLDER, MOST_LOOSE, folder_sizes
from tests.architecture.retired_words import RETIRED, STANDARD, _pattern, names, retired_names, still
from tests.architecture.sources import Source, refuse


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


def test_words_match_whole_parts_of_names():
    polish, near = _pattern("polish"), _pattern("=near drum")
    assert polish.search("polish_flat") and polish.search("fast_polish") and not polish.search("polished")
    assert near.search("near") and not near.search("near_plane") and near.search("all_drums") and not near.search("drummer")
    assert all(r.words and r.folders and r.standard for r in RETIRED) and all(len(pair) == 2 for pair in STANDARD)
