"""A short run of the proof of edits (tests/long/edit_fuzz.py): text, tree, ids, Model and journal agree after each of 200 steps."""
from tests.long.edit_fuzz import models, run


def test_two_hundred_edits_of_a_file_with_includes_and_odd_characters(tmp_path):
    name, main, every = next(row for row in models(tmp_path) if row[0] == "tricky")
    count, wrong = run(name, main, every, steps=200, seed=7)
    assert not wrong, wrong[0]
    assert count["undo"] and count["typing"] and count["gesture"] and count["models"] > 10 and count["journals"]
