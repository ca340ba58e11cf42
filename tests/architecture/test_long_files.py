"""The list of files that take long names files that there are."""
from tests.architecture.sources import ROOT, refuse
from tests.long_files import SECONDS


def test_every_long_file_is_there():
    refuse([name for name in SECONDS if not (ROOT / name).exists()])
