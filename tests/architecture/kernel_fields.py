"""Which Data fields a kernel touches, found by reading its syntax tree and those of the helpers that it calls.

A field is read or written where it stands (`d.qpos[i]`, `d.ncon = n`), where its pointer is handed to a row or vector
primitive (`st3(d.xpos, i, v)`), and where it is handed to a helper that does so with its parameter. Kernels that are
called are listed, not entered.
"""
from __future__ import annotations

import ast
import inspect
import textwrap
from typing import NamedTuple

from physics.kernels import decorators

STORES = frozenset({"st3", "st4", "st6", "st9", "st10", "vst"})


class Touched(NamedTuple):
    """Names of Data fields read and written, symbols of kernels called, indices of parameters written and read through."""

    reads: frozenset
    writes: frozenset
    kernels: frozenset
    params_read: frozenset
    params_written: frozenset


class _Reader(ast.NodeVisitor):
    def __init__(self, fn, known):
        self.fn, self.known = fn, known
        self.params = list(inspect.signature(fn).parameters)
        self.alias = {}  # local name -> field or parameter it points to
        self.reads, self.writes, self.kernels, self.p_reads, self.p_writes = set(), set(), set(), set(), set()

    def target(self, node):
        """('field', name), ('param', index) or None: what a pointer expression points to."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "d":
            return ("field", node.attr)
        if isinstance(node, ast.Name):
            if node.id in self.alias:
                return self.alias[node.id]
            if node.id in self.params:
                return ("param", self.params.index(node.id))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "off" and node.args:
            return self.target(node.args[0])
        return None

    def note(self, where, write):
        if where is None:
            return
        kind, what = where
        (self.writes if write else self.reads).add(what) if kind == "field" else (self.p_writes if write else self.p_reads).add(what)

    def visit_Assign(self, node):
        self.visit(node.value)
        for t in node.targets:
            self._store(t)
            if isinstance(t, ast.Name) and isinstance(node.value, ast.Attribute | ast.Call | ast.Subscript | ast.IfExp):
                where = self.target(node.value)
                if where and where[0] == "field":
                    self.alias[t.id] = where

    def visit_AugAssign(self, node):
        self.visit(node.value)
        self._store(node.target)
        if isinstance(node.target, ast.Attribute | ast.Subscript):
            self.note(self.target(node.target), False)

    def _store(self, t):
        if isinstance(t, ast.Tuple):
            for e in t.elts:
                self._store(e)
        elif isinstance(t, ast.Attribute | ast.Subscript):
            self.note(self.target(t), True)
            if isinstance(t, ast.Subscript):
                self.visit(t.slice)

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name) and node.value.id == "d":
            self.reads.add(node.attr)

    def visit_Subscript(self, node):
        self.note(self.target(node), False)
        self.visit(node.slice)
        if not isinstance(node.value, ast.Name | ast.Attribute):
            self.visit(node.value)

    def visit_Call(self, node):
        name = getattr(node.func, "id", "")
        callee = self.fn.__globals__.get(name)
        if name in STORES:
            self.note(self.target(node.args[0]), True)
            for a in node.args[1:]:
                self.visit(a)
        elif isinstance(callee, decorators.Kernel):
            self.kernels.add(callee.symbol)
            for a in node.args:
                if not (isinstance(a, ast.Attribute) and self.target(a)):
                    self.visit(a)
        elif callee in decorators.HELPERS:
            self._helper(node, touched(callee, self.known))
        else:
            for a in node.args:
                where = self.target(a)
                self.note(where, False) if where else self.visit(a)

    def _helper(self, node, inner):
        self.reads |= inner.reads
        self.writes |= inner.writes
        self.kernels |= inner.kernels
        for k, a in enumerate(node.args):
            where = self.target(a)
            if where and not isinstance(a, ast.Subscript):
                if k in inner.params_written:
                    self.note(where, True)
                if k in inner.params_read or k not in inner.params_written:
                    self.note(where, False)
            else:
                self.visit(a)


def touched(fn, known: dict) -> Touched:
    """What this function touches. known: results so far, filled in."""
    if fn not in known:
        known[fn] = Touched(*[frozenset()] * 5)
        reader = _Reader(fn, known)
        tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
        for statement in tree.body[0].body:
            reader.visit(statement)
        known[fn] = Touched(*map(frozenset, (reader.reads, reader.writes, reader.kernels, reader.p_reads, reader.p_writes)))
    return known[fn]
