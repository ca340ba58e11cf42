"""Tokens, addresses and their QR codes; buckets, strikes, and which requests are ours."""
import re

import pytest

from app.inputs.server.bucket import FORGIVEN, STRIKES, Bucket, Strikes
from app.inputs.server.pairing import Pairing, new_token, origin_of, qr_matrix, qr_svg
from app.inputs.server.requests import allowed, own_origins

FINDER = tuple(tuple(row) for row in ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"))


def test_a_token_has_128_bits_and_is_never_the_same():
    tokens = {new_token() for _ in range(200)}
    assert len(tokens) == 200 and all(re.fullmatch(r"[\w-]{22}", token) for token in tokens)


def test_only_the_token_proves_and_it_stands_in_the_fragment():
    pairing = Pairing(origin_of("https", "192.168.0.7", 8443), "s3cret")
    assert pairing.proven("s3cret") and not any(map(pairing.proven, ("", "s3cre", "s3cret ", "S3cret", "\udcff", "\u00e9" * 64)))
    assert pairing.address() == "https://192.168.0.7:8443/#s3cret" and pairing.address("touch") == "https://192.168.0.7:8443/touch#s3cret"
    assert origin_of("https", "fe80::1", 1) == "https://[fe80::1]:1"


def test_the_qr_code_has_its_marks_and_a_margin():
    rows = qr_matrix("https://192.168.0.7:8443/#" + new_token())
    n = len(rows)
    assert all(len(row) == n for row in rows) and not any(any(rows[i]) or rows[i][0] or any(row[i] for row in rows) for i in (0, 1, 2, 3, n - 4, n - 1))
    for top, left in ((4, 4), (4, n - 11), (n - 11, 4)):
        assert tuple(tuple("01"[module] for module in row[left:left + 7]) for row in rows[top:top + 7]) == FINDER
    assert qr_svg("a", 3).startswith("<svg") and qr_matrix("a") != qr_matrix("b")


def test_a_bucket_lets_through_its_burst_and_then_its_rate():
    bucket = Bucket(10.0, 5.0)
    assert [bucket.take(0.0) for _ in range(6)] == [True] * 5 + [False]
    assert bucket.take(0.1) and not bucket.take(0.1) and sum(bucket.take(0.1 + 0.01 * k) for k in range(1, 101)) == 10
    assert sum(bucket.take(1000.0) for _ in range(20)) == 5


def test_strikes_are_forgotten_after_a_while():
    strikes = Strikes()
    assert [strikes.out(float(k)) for k in range(STRIKES)] == [False] * (STRIKES - 1) + [True]
    late = Strikes()
    assert not any(late.out(k * FORGIVEN) for k in range(20))


OURS = own_origins("https", "127.0.0.1", 8443)
BROWSER = {"Host": "127.0.0.1:8443", "Origin": "https://127.0.0.1:8443", "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize(("changed", "page", "socket"), [
    ({}, True, True), ({"Host": "localhost:8443", "Origin": "https://localhost:8443"}, True, True), ({"Origin": None}, True, False),
    ({"Origin": None, "Sec-Fetch-Site": "none"}, True, False), ({"Sec-Fetch-Site": "none"}, True, False), ({"Sec-Fetch-Site": None}, True, True),
    ({"Origin": "https://evil.example"}, False, False), ({"Origin": "null"}, False, False), ({"Origin": "http://127.0.0.1:8443"}, False, False),
    ({"Origin": "https://127.0.0.1:8443.evil.example"}, False, False), ({"Origin": "https://127.0.0.1"}, False, False), ({"Sec-Fetch-Site": "cross-site"}, False, False),
    ({"Sec-Fetch-Site": "same-site"}, False, False), ({"Host": "evil.example:8443"}, False, False), ({"Host": "127.0.0.1:1"}, False, False), ({"Host": None}, False, False)])
def test_which_requests_are_answered(changed, page, socket):
    headers = {name: value for name, value in (BROWSER | changed).items() if value is not None}
    assert allowed(headers, OURS, socket=False) is page and allowed(headers, OURS, socket=True) is socket


def test_an_address_of_the_network_has_no_other_names():
    assert own_origins("https", "192.168.0.7", 5) == {"https://192.168.0.7:5"}
