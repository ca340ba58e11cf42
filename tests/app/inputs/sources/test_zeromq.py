import pytest

from app.inputs.protocol.encode import encode
from app.inputs.sources.zeromq import ENDPOINT, ZeroMqSource, make
from tests.app.inputs.sources.collected import running, wait_until

zmq = pytest.importorskip("zmq")


def test_the_newest_message_wins():
    source = ZeroMqSource(endpoint="tcp://127.0.0.1:*", bind=True)
    with running(source) as got, zmq.Context() as context, context.socket(zmq.PUB) as publisher:
        wait_until(lambda: source.found)
        publisher.setsockopt(zmq.LINGER, 0)
        publisher.connect(source.address)
        sent = 0

        def came():
            nonlocal sent
            sent += 1      # a publisher does not wait for who listens: what was sent before is gone
            publisher.send(encode("joints", sent, float(sent), source="leader", joints={"j1": 0.25}).encode())
            return got.samples

        wait_until(came)
        assert got.samples[0].joints == {"j1": 0.25} and got.samples[0].source == "zmq:leader"


def test_a_publisher_that_ends_and_begins_again():
    with zmq.Context() as context:
        publisher = context.socket(zmq.PUB)
        port = publisher.bind_to_random_port("tcp://127.0.0.1")
        source = make(f"zmq:tcp://127.0.0.1:{port}")
        with running(source) as got:
            def sent(seq):
                publisher.send(encode("joints", seq, 0.0, joints={"j1": 1.0}).encode())
                return got.samples

            count = iter(range(100_000))
            wait_until(lambda: sent(next(count)))
        publisher.close(0)


def test_what_is_no_endpoint_is_told():
    source = ZeroMqSource(endpoint="tcp://127.0.0.1:notaport")
    with running(source):
        wait_until(lambda: "cannot connect at tcp://127.0.0.1:notaport" in source.state)


def test_names_mean_endpoints():
    assert make("zmq:right").address == make("zmq").address == ENDPOINT and make("zmq:tcp://10.0.0.1:5").address == "tcp://10.0.0.1:5"
    assert make("zmq:bind:tcp://*:5")._bind
