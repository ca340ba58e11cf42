"""Numerical code has comments that say what each block computes, in the words of the literature."""
import ast
import io
import tokenize
from functools import cache
from typing import NamedTuple

from tests.architecture.sources import Source, refuse, sources

WHERE = (
    "physics/engine/solve/", "physics/engine/collide/", "physics/engine/integrator/discrete.py", "physics/engine/inertia/articulated_body.py",
    "physics/engine/linalg/sparse.py", "physics/engine/linalg/supernodal.py", "physics/engine/linalg/sparse_lu.py",
)
LONG = 25      # lines of code; a function with more has comments:
SHARE = 12     # one in so many lines of code at least,
STRETCH = 20   # and nowhere more lines of code than these without one
WAITING: tuple[str, ...] = ()   # folders that are still to be commented

SILENT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


class Counted(NamedTuple):
    """Lines of code and of comments of a function, docstring left out, and the longest run of lines of code without a comment."""

    code: int
    comments: int
    stretch: int


@cache
def lines_of(text: str) -> tuple[set[int], set[int]]:
    """Numbers of the lines of a module's text that hold code, and of those that hold comments."""
    code, comments = set(), set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        elif token.type not in SILENT:
            code |= set(range(token.start[0], token.end[0] + 1))
    return code, comments


def counted(text: str, function: ast.FunctionDef) -> Counted:
    """Counts for one function of a module's text; a comment at the end of a line of code counts as a line of comment as well."""
    code, comments = lines_of(text)
    start = function.body[0].end_lineno + 1 if ast.get_docstring(function) else function.lineno + 1
    lines = range(start, function.end_lineno + 1)
    stretch = longest = 0
    for line in lines:
        stretch = 0 if line in comments else stretch + (line in code)
        longest = max(longest, stretch)
    return Counted(sum(line in code for line in lines), sum(line in comments for line in lines), longest)


def wanting(source: Source) -> list[str]:
    """Functions of a module that are long and say too little."""
    found = []
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef):
            n = counted(source.text, node)
            if n.code > LONG and (n.comments < n.code // SHARE or n.stretch > STRETCH):
                found.append(f"{source.path}:{node.lineno} {node.name}: {n.comments} comments in {n.code} lines, {n.stretch} lines without one")
    return found


def test_long_numerical_functions_say_what_each_block_computes():
    refuse([w for s in sources("physics") if s.path.startswith(WHERE) and not s.path.startswith(WAITING) for w in wanting(s)])


def test_what_waits_for_comments_still_lacks_them():
    for folder in WAITING:
        assert any(wanting(s) for s in sources("physics") if s.path.startswith(folder))


def test_a_long_function_without_comments_is_found():
    def module(lines: list[str]) -> Source:
        text = '"""."""\ndef f(x):\n    """Sum."""\n' + "\n".join(f"    {line}" for line in lines) + "\n    return x\n"
        return Source("physics/engine/solve/f.py", "f", text, ast.parse(text))

    add = ["x += 1"] * 13
    assert wanting(module(add + add)) and wanting(module(["# first half", *add, *add])) and wanting(module([*add, "# second half", *add, *add]))
    assert not wanting(module(["# first half", *add, "# second half", *add])) and not wanting(module(add))
