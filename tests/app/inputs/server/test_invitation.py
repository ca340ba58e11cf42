"""What a terminal shows so that a headset finds the page."""
from app.inputs.server.invitation import BLOCKS, invitation, qr_text
from app.inputs.server.pairing import qr_matrix
from app.inputs.server.source import WebSource


def test_it_has_the_address_the_code_and_the_fingerprint(tmp_path):
    for name in ("xr", "net"):
        source = WebSource(name, port=0, folder=tmp_path)
        source.start([].append)
        try:
            text = invitation(source)
            assert source.server.pairing.token in text and source.server.fingerprint in text and f"waiting at {source.server.pairing.origin}" in text
            assert (source.address in text and qr_text(source.address) in text) is (name == "xr")
        finally:
            source.stop()


def test_two_rows_of_modules_are_one_line():
    rows, lines = qr_matrix("linkwork"), qr_text("linkwork").split("\n")
    assert len(lines) == (len(rows) + 1) // 2 and all(len(line) == len(rows[0]) for line in lines)
    read = [[bool(BLOCKS.index(letter) >> shift & 1) for letter in line] for line in lines for shift in (1, 0)]
    assert [tuple(row) for row in read[:len(rows)]] == list(rows)
