"""Made-up expressions: `./test.sh --long expressions [--cases N] [--json FILE]`.

Texts made from the language's words, damaged ones, and Python that would do harm if it were run: each must end in a value of the shape that was told, or in an
ExpressionError whose column lies in the text; and nothing that Python could be made to do may happen (an audit hook sees files, processes, imports and compiled code).
"""
import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from physics.quantities.functions import FUNCTIONS
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError

HARM = ("__import__('os').system('true')", "().__class__.__bases__[0].__subclasses__()", "open('/etc/passwd').read()", "exec('x=1')", "eval('1+1')", "(lambda: 0)()", "[x for x in (1,2)]",
        "qpos.__class__.__mro__", "body('chest').__init__.__globals__", "f'{qpos}'", "globals()", "breakpoint()", "compile('1','','eval')", "qpos.dtype", "qpos.tofile('/tmp/x')", "sum.__self__",
        "9**9**9**9", "'a'*10**9", "(yield)", "print(1)", "input()", "help()", "exit()", "__builtins__", "getattr(qpos, 'x')", "1 .real", "time.sleep(9)", "opt.__class__", "contact.__class__")
SIGNS = ("+", "-", "*", "/", "**", "%", "<", "<=", ">", ">=", "==", "!=", "and", "or")
LETTERS = "qposvel[]()\"'.,+-*/%<>=!0123456789 \t\n_abxyzé\u00b2\\{}@#:;&|^~\0"
WATCHED = ("open", "exec", "import", "os.", "subprocess.", "socket.", "compile", "ctypes.")


def _leaf(m, rng: random.Random) -> str:
    kind = rng.choice([k for k in ("body", "joint", "geom", "actuator") if any(m.names[k])])
    name = rng.choice([n for n in m.names[kind] if n])
    return rng.choice((f'{kind}("{name}").{rng.choice(("xpos", "qpos", "mass", "force", "ctrl", "xmat", "range", "size"))}', f'qpos["{name}"]', f'xpos["{name}"]', f"qvel[{rng.randrange(40)}]",
                       f'xpos["{name}", {rng.randrange(4)}]', str(rng.choice((0, 1, 2.5, 1e300, -3))), "time", "ncon", "pi", "contact_dist", f"contact_dist[{rng.randrange(12)}]", "energy", "efc_force",
                       f'contact("{name}").{rng.choice(("force", "normal", "dist", "count", "pos", "x"))}', "opt.gravity", "qpos", "cvel[1]"))


def expression(m, rng: random.Random, depth: int = 0) -> str:
    """A text that mostly follows the grammar."""
    if depth > 4 or rng.random() < 0.3:
        return _leaf(m, rng)
    way = rng.random()
    if way < 0.4:
        return f"{expression(m, rng, depth + 1)} {rng.choice(SIGNS)} {expression(m, rng, depth + 1)}"
    if way < 0.5:
        return f"({expression(m, rng, depth + 1)})"
    if way < 0.6:
        return rng.choice(("-", "not ", "+")) + expression(m, rng, depth + 1)
    if way < 0.7:
        return f"{expression(m, rng, depth + 1)}[{rng.randrange(4)}]"
    name = rng.choice((*FUNCTIONS, "deriv", "lowpass"))
    return f"{name}({', '.join(expression(m, rng, depth + 1) for _ in range(rng.choice((1, 1, 2, 3))))})"


def corpus_of_texts(m, count: int, seed: int) -> list[str]:
    """Texts: grammatical, damaged, harmful, and noise."""
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        text = expression(m, rng) if number % 5 else rng.choice(HARM)
        if rng.random() < 0.3:
            letters = list(text)
            for _ in range(rng.randrange(1, 4)):
                place = rng.randrange(len(letters) + 1)
                letters[place:place + rng.randrange(2)] = rng.choice(LETTERS)
            text = "".join(letters)
        if rng.random() < 0.05:
            text = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(80)))
        texts.append(text)
    return texts


class Audit:
    """What Python does that an expression must not make it do. seen: events while `on`."""

    def __init__(self):
        self.on, self.seen = False, []
        sys.addaudithook(self._event)

    def _event(self, name: str, args: tuple) -> None:
        if self.on and name.startswith(WATCHED) and not (name == "compile" and args and args[0] is not None and not isinstance(args[0], str | bytes)):
            self.seen.append(name)


_AUDIT: list[Audit] = []


def case(m, d, text: str) -> str:
    """'value', 'error', or 'broken: ...' for a text."""
    if not _AUDIT:
        for once in ("\u00e9", "deriv(qpos[0])", 'contact("x").force', "qpox", 'body("x").y'):     # modules that are imported at the first use
            try:
                compile_quantity(m, once).now(m, d)
            except ExpressionError:
                pass
        _AUDIT.append(Audit())
    audit = _AUDIT[0]
    audit.seen.clear()
    audit.on = True
    try:
        end = _end(m, d, text)
    finally:
        audit.on = False
    harm = [name for name in audit.seen if name != "compile"]      # ast.parse is told as 'compile'
    return f"broken: {harm}" if harm else end


def _end(m, d, text: str) -> str:
    try:
        quantity = compile_quantity(m, text)
    except ExpressionError as why:
        return "error" if 1 <= why.column <= len(text) + 1 and why.reason else f"broken: column {why.column} of {len(text)}"
    except Exception as why:
        return f"broken: {type(why).__name__}: {why}"
    try:
        value = quantity.now(m, d)
    except Exception as why:
        return f"broken: {type(why).__name__}: {why}"
    return "value" if value.dtype == np.float64 and (value.shape == quantity.shape or 0 in quantity.shape) else f"broken: {value.dtype} {value.shape}, told {quantity.shape}"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=Path("expressions.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    m = physics.load(bundled_model("humanoid.xml"))
    d = physics.Data(m)
    physics.step(m, d, 100)
    texts = corpus_of_texts(m, chosen.cases, chosen.seed)
    ends = [case(m, d, text) for text in texts]
    broken = [(text, end) for text, end in zip(texts, ends, strict=True) if end.startswith("broken")]
    found = {"cases": len(texts), "values": ends.count("value"), "errors": ends.count("error"), "broken": broken[:50]}
    chosen.json.write_text(json.dumps(found, indent=1))
    print({**found, "broken": len(broken)}, *broken[:10], sep="\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
