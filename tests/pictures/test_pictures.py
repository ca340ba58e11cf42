"""Pictures of the documentation: each that a page names is there and small, and each of docs/pictures is named and can be made again."""
import re

import pytest
from PIL import Image

from tests.architecture.sources import ROOT
from tests.pictures.desk import LARGEST
from tests.pictures.table import FILES

DOCS = ROOT / "docs"
NAMED = {match for page in DOCS.glob("*.md") for match in re.findall(r"!\[[^\]]+\]\((pictures/[\w.]+)\)", page.read_text())}
README = re.findall(r"!\[[^\]]+\]\(docs/([\w.]+)\)", (ROOT / "README.md").read_text())


def test_pages_name_the_pictures_that_are_there_and_all_can_be_made():
    assert {f"pictures/{path.name}" for path in (DOCS / "pictures").iterdir()} == NAMED
    assert NAMED | set(README) == set(FILES.values())


@pytest.mark.parametrize("name", sorted({*NAMED, *README}))
def test_a_picture_is_modest(name):
    assert (DOCS / name).stat().st_size <= LARGEST
    with Image.open(DOCS / name) as picture:
        assert 900 <= picture.width <= 1450


def test_links_within_the_page_of_editing_lead_to_headings():
    text = (DOCS / "editing.md").read_text()
    headings = {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    links = re.findall(r"\]\(#([\w-]+)\)", text)
    assert links and set(links) <= headings, set(links) - headings
