"""The layout in figures: `python -m tests.architecture.layout [--json FILE]`.

Loose modules of physics, Python files in the largest folder of the product, circles of imports (of packages, of files), retired words in names.
"""
from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path, PurePath

from tests.architecture.import_graph import circles, edges, package_edges
from tests.architecture.retired_words import retired_names
from tests.architecture.sources import sources

MOST_LOOSE, LARGEST_FOLDER = 6, 25


def folder_sizes() -> Counter:
    """Python files directly in each folder of the product."""
    return Counter(str(PurePath(s.path).parent) for s in sources())


def measured() -> dict:
    """{'loose': {'physics': n}, 'largest_folder': n, 'circles': [[name, ...], ...], 'retired_words': [text, ...]}."""
    sizes = folder_sizes()
    return {
        "loose": {"physics": sizes["physics"]}, "largest_folder": max(sizes.values()),
        "circles": [*circles(package_edges()), *circles(edges())], "retired_words": [str(f) for f in retired_names()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    text = json.dumps(measured(), indent=1)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
