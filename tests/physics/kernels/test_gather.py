"""What somebody waits for is compiled and loaded ahead of the rest; it can be asked for while compiling goes on."""
from physics.kernels import build, decorators, load
from physics.kernels.gather import Gathering

KERNEL = "\n@kernel('f', 'f')\ndef {name}(x):\n    return x + {add}.0\n"
HEAD = "from physics.kernels.decorators import kernel\n"
# a module that a compile worker cannot import until a file is there: its kernels wait in the worker's hand
GATE = """
import os, sys, time
while "numba" in sys.modules and not os.path.exists(os.environ["GATE"]):
    time.sleep(0.01)
"""
PROGRAM = """
import os, threading
import early, slow, late
order, moments = [], []
def ready():
    moments.append([[k.addr != 0 for k in (early.a, late.z)], len(load.missing()), list(order)])
    if len(moments) == 1:
        load.want([late.z.symbol])
        load._gatherings[0]._build.tell(lambda: open(os.environ['GATE'], 'w').close())
report = load.ensure(['early', 'slow', 'late'], lambda done, total, symbol: order.append(symbol), 1, lambda: [early.a.symbol], ready)
print(json.dumps(dict(order=order, moments=moments, values=[early.a(1.0), slow.s3(1.0), late.z(1.0)], missing=load.missing(), compiling=load.is_compiling())))
"""


def test_what_is_asked_for_meanwhile_comes_next_and_is_loaded_at_once(workshop):
    workshop.write("early.py", HEAD + KERNEL.format(name="a", add=1))
    workshop.write("slow.py", HEAD + GATE + "".join(KERNEL.format(name=f"s{k}", add=k) for k in range(4)))
    workshop.write("late.py", HEAD + "".join(KERNEL.format(name=name, add=9) for name in "xyz"))
    found = workshop.run(PROGRAM, GATE=str(workshop.folder.parent / "open"))
    first, second = found["moments"]
    assert first == [[True, False], 7, []], "the first ones alone are there"
    assert found["order"][0] == "early__a" and found["order"][2] == "late__z", "after what the worker had in hand"
    assert second[0] == [True, True] and second[1] == 5 and second[2] == found["order"][:2]
    assert found["values"] == [2.0, 4.0, 10.0] and found["missing"] == [] and found["compiling"] is False


def test_the_order_can_be_changed_while_workers_take(sample):
    symbols = [s for s, k in decorators.KERNELS.items() if k.module == sample.__name__][:6]
    work = build._Work(dict.fromkeys(symbols, "key"))
    work.order({s: k for k, s in enumerate(symbols)})
    met = set()
    assert work.take(met) == (symbols[0], False)
    work.order({s: -k for k, s in enumerate(symbols)})
    assert [work.take(met)[0] for _ in range(5)] == symbols[:0:-1], "none is handed out twice"
    assert work.take(met) is None


def test_the_newest_wish_is_served_first(sample):
    keys = decorators.keys([s for s, k in decorators.KERNELS.items() if k.module == sample.__name__])
    symbols = list(keys)
    gathering = Gathering(None, keys, 1, load._load)
    for wish in (symbols[3:5], symbols[1:2], ["unknown"]):
        gathering._serve_first(wish)
    work = gathering._build._work
    assert [work.take(set())[0] for _ in range(1)] == symbols[1:2]
    assert {work.take(set())[0] for _ in range(2)} == set(symbols[3:5])


def test_nothing_happens_where_nothing_is_compiled():
    assert not load.is_compiling()
    load.want(["unknown"])
