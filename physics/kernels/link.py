"""Object files merged into one, so that kernels lie side by side in memory and call each other directly.

Loaded one by one, each object begins on a page of its own: the first lines of all kernels then compete for the same sets of the
instruction cache (their place in it is given by the address within a page), and every call goes through a table, as its target is not
known when the object is placed. Merged, the code is one block of a megabyte in the order given. Formulas are those of the System V
ABI, chapter 4 (object files), and its AMD64 supplement. Only what LLVM makes of a kernel is understood: code, constants, unwind tables,
and relocations whose meaning does not change when a section moves; anything else is left to be loaded as it is.
"""
from __future__ import annotations

import struct
from collections.abc import Iterable
from types import MappingProxyType

import numpy as np

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = np.dtype([("name", "<u4"), ("type", "<u4"), ("flags", "<u8"), ("addr", "<u8"), ("offset", "<u8"), ("size", "<u8"), ("link", "<u4"), ("info", "<u4"),
                     ("align", "<u8"), ("entsize", "<u8")])
_SYMBOL = np.dtype([("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")])
_RELOCATION = np.dtype([("offset", "<u8"), ("type", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])
_IDENT, _RELOCATABLE, _X86_64 = b"\x7fELF\x02\x01\x01", 1, 62   # 64 bits, little endian
_PROGBITS, _SYMTAB, _STRTAB, _RELA, _UNWIND = 1, 2, 3, 4, 0x70000001
_WRITE, _ALLOC, _EXECUTE = 1, 2, 4
_UNDEFINED, _COMMON, _LOCAL, _SECTION_SYMBOL = 0, 0xFFF2, 0, 3
_ABSOLUTE_64, _PC32, _PLT32 = 1, 2, 4   # relocations: an address, a distance, the distance of a call
_NOWHERE = 0xFFFFFFFF   # symbols that stand for nothing here: no relocation may want them
_PARTS = MappingProxyType({".text": (_PROGBITS, _ALLOC | _EXECUTE, 64), ".rodata": (_PROGBITS, _ALLOC, 64), ".eh_frame": (_UNWIND, _ALLOC, 8)})   # type, flags, alignment
_NAMES = tuple(_PARTS)


class _Strange(Exception):
    """An object file holds something that is not understood here."""


class _Object:
    """The sections, symbols and relocations of one object file. Raises _Strange."""

    def __init__(self, data: bytes):
        self.data = data
        ident, kind, machine, _, _, _, at, _, _, _, _, size, count, names = _HEADER.unpack_from(data)
        if not ident.startswith(_IDENT) or kind != _RELOCATABLE or machine != _X86_64 or size != _SECTION.itemsize:
            raise _Strange
        self.sections = np.frombuffer(data, _SECTION, count, at)
        self._names = self.content(names)
        tables = np.flatnonzero(self.sections["type"] == _SYMTAB)
        if len(tables) != 1:
            raise _Strange
        table = self.sections[tables[0]]
        self.symbols = np.frombuffer(data, _SYMBOL, int(table["size"]) // _SYMBOL.itemsize, int(table["offset"]))
        self.strings = self.content(int(table["link"]))
        self.part = [self._part_of(k) for k in range(count)]

    def content(self, k: int) -> bytes:
        """The bytes of a section."""
        section = self.sections[k]
        return self.data[int(section["offset"]):int(section["offset"]) + int(section["size"])]

    def _part_of(self, k: int) -> str:
        """Which part of the merged object a section goes to; '' where it is not loaded at all."""
        section = self.sections[k]
        kind, flags = int(section["type"]), int(section["flags"])
        if not flags & _ALLOC:
            return ""
        if kind not in (_PROGBITS, _UNWIND) or flags & _WRITE:
            raise _Strange
        if kind == _UNWIND or self._names[int(section["name"]):].startswith(b".eh_frame\0"):
            return ".eh_frame"
        return ".text" if flags & _EXECUTE else ".rodata"

    def name(self, symbol: np.void) -> bytes:
        """A symbol's name."""
        at = int(symbol["name"])
        return self.strings[at:self.strings.index(b"\0", at)]

    def exports(self) -> list[bytes]:
        """The functions that others may call."""
        return [self.name(s) for s in self.symbols if s["info"] >> 4 != _LOCAL and s["section"] not in (_UNDEFINED, _COMMON)]

    def calls(self) -> list[bytes]:
        """The functions of others that this one calls, in the order of the calls."""
        rows = [found for k, found in self.relocations() if self.part[k] == ".text"]
        wanted = self.symbols[np.concatenate([np.zeros(0, "<u4"), *(found["symbol"][np.argsort(found["offset"])] for found in rows)]).astype(int)]
        return [self.name(s) for s in wanted if s["section"] == _UNDEFINED]

    def relocations(self) -> Iterable[tuple[int, np.ndarray]]:
        """(section, its relocations)."""
        for section in self.sections[self.sections["type"] == _RELA]:
            yield int(section["info"]), np.frombuffer(self.data, _RELOCATION, int(section["size"]) // _RELOCATION.itemsize, int(section["offset"]))


class _Merged:
    """What becomes of many objects: three sections and the symbols that any of them exports or wants."""

    def __init__(self):
        self.content = {name: bytearray() for name in _NAMES}
        self.relocations = {name: [] for name in _NAMES}
        self.strings = bytearray(b"\0")
        self.symbols = [np.zeros((), _SYMBOL)]
        for k in range(len(_NAMES)):   # one local symbol for each section: what is private to an object is told by its place there
            self._add(b"", _SECTION_SYMBOL, k + 1, 0, 0)
        self.number: dict[bytes, int] = {}

    def _add(self, name: bytes, info: int, section: int, value: int, size: int) -> int:
        at = 0
        if name:
            at = len(self.strings)
            self.strings += name + b"\0"
        self.symbols.append(np.array((at, info, 0, section, value, size), _SYMBOL))
        return len(self.symbols) - 1

    def add(self, one: _Object) -> None:
        """Put an object behind those that are there."""
        place = {}   # section of the object -> where it begins in its part
        for k, part in enumerate(one.part):
            if part:
                content, align = self.content[part], max(int(one.sections[k]["align"]), 64 if part == ".text" else 1)
                content += (b"\xcc" if part == ".text" else b"\0") * (-len(content) % align)
                place[k] = len(content)
                content += one.content(k)
        number, shift = self._symbols(one, place)
        for k, found in one.relocations():
            if one.part[k]:
                moved = found.copy()
                moved["offset"] += place[k]
                if (number[found["symbol"]] == _NOWHERE).any():
                    raise _Strange
                moved["symbol"], moved["addend"] = number[found["symbol"]], found["addend"] + shift[found["symbol"]]
                self.relocations[one.part[k]].append(moved)

    def _symbols(self, one: _Object, place: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """For each symbol of an object: the symbol that stands for it here, and what is added to that one's address."""
        number, shift = np.full(len(one.symbols), _NOWHERE, "<u4"), np.zeros(len(one.symbols), "<i8")
        for k, (_, info, _, section, value, size) in enumerate(one.symbols.tolist()):
            if info >> 4 == _LOCAL:
                if section in place:   # private to the object: told by its section and its distance from there
                    number[k], shift[k] = 1 + _NAMES.index(one.part[section]), place[section] + value
                continue
            if section == _COMMON:   # numba's environments, which code without the interpreter never reads
                continue
            if section != _UNDEFINED and section not in place:
                raise _Strange
            name = one.name(one.symbols[k])
            if name not in self.number:
                self.number[name] = self._add(name, info, 0, 0, 0)
            number[k] = self.number[name]
            if section != _UNDEFINED:
                there = self.symbols[number[k]]
                there["info"], there["section"], there["value"], there["size"] = info, 1 + _NAMES.index(one.part[section]), place[section] + value, size
        return number, shift

    def _call_outside(self) -> None:
        """A jump through a constant for each function that no object holds (sine, say): it may lie farther away than a call can reach."""
        undefined = [k for k, symbol in enumerate(self.symbols) if k > len(_NAMES) and symbol["section"] == _UNDEFINED]
        code, constants = self.content[".text"], self.content[".rodata"]
        jump = np.zeros(len(self.symbols), "<i8")
        constants += b"\0" * (-len(constants) % 8)
        for symbol in undefined:
            code += b"\xcc" * (-len(code) % 16)
            jump[symbol] = len(code)
            code += b"\xff\x25\0\0\0\0"   # jmp [rip + distance]
            self.relocations[".text"].append(np.array([(len(code) - 4, _PC32, 1 + _NAMES.index(".rodata"), len(constants) - 4)], _RELOCATION))
            self.relocations[".rodata"].append(np.array([(len(constants), _ABSOLUTE_64, symbol, 0)], _RELOCATION))
            constants += b"\0" * 8
        for rows in self.relocations[".text"]:
            calls = (rows["type"] == _PLT32) & np.isin(rows["symbol"], undefined)
            rows["addend"][calls] += jump[rows["symbol"][calls]]
            rows["symbol"][calls], rows["type"][calls] = 1 + _NAMES.index(".text"), _PC32

    def bytes(self) -> bytes:
        """The merged object file."""
        self._call_outside()
        sections, names, body = [np.zeros((), _SECTION)], bytearray(b"\0"), bytearray(_HEADER.size)
        symtab = 1 + 2 * len(_NAMES)

        def section(name: str, kind: int, flags: int, data: bytes, link: int, info: int, align: int, entsize: int) -> None:
            body.extend(b"\0" * (-len(body) % align))
            sections.append(np.array((len(names), kind, flags, 0, len(body), len(data), link, info, align, entsize), _SECTION))
            names.extend(name.encode() + b"\0")
            body.extend(data)

        for name, (kind, flags, align) in _PARTS.items():
            section(name, kind, flags, bytes(self.content[name]), 0, 0, align, 0)
        for k, name in enumerate(_NAMES):
            rows = np.concatenate([np.zeros(0, _RELOCATION), *self.relocations[name]])
            section(".rela" + name, _RELA, 0, rows.tobytes(), symtab, k + 1, 8, _RELOCATION.itemsize)
        section(".symtab", _SYMTAB, 0, np.array(self.symbols, _SYMBOL).tobytes(), symtab + 1, 1 + len(_NAMES), 8, _SYMBOL.itemsize)
        section(".strtab", _STRTAB, 0, bytes(self.strings), 0, 0, 1, 0)
        names_at = len(names)
        section(".shstrtab", _STRTAB, 0, bytes(names) + b".shstrtab\0", 0, 0, 1, 0)
        sections[-1]["name"] = names_at
        body.extend(b"\0" * (-len(body) % 8))
        table = len(body)
        body.extend(np.array(sections, _SECTION).tobytes())
        _HEADER.pack_into(body, 0, _IDENT.ljust(16, b"\0"), _RELOCATABLE, _X86_64, 1, 0, 0, table, 0, _HEADER.size, 0, 0, _SECTION.itemsize, len(sections), len(sections) - 1)
        return bytes(body)


def _by_calls(objects: list[_Object]) -> Iterable[_Object]:
    """Each object behind the one that calls it first, in the order of the calls: a step runs through its code about as it lies in memory.

    It begins with the function from which most is reached, as that is a step.
    """
    home = {name: k for k, one in enumerate(objects) for name in one.exports()}
    called = [list(dict.fromkeys(home[name] for name in one.calls() if name in home)) for one in objects]

    def reached(k: int, found: dict[int, None]) -> dict[int, None]:
        """k and what it reaches that is not found yet, depth first."""
        todo = [k]
        while todo:
            at = todo.pop()
            if at not in found:
                found[at] = None
                todo += reversed(called[at])
        return found

    roots = sorted(set(range(len(objects))).difference(*called), key=lambda k: -len(reached(k, {})))
    order: dict[int, None] = {}
    for k in (*roots, *range(len(objects))):
        reached(k, order)
    return (objects[k] for k in order)


def one_block() -> bool:
    """Whether kernels are compiled here so that they can be merged: distances within two gigabytes, told by what `merge` understands."""
    import llvmlite.binding as ll

    return ll.get_process_triple().startswith("x86_64") and ll.get_object_format() == "ELF"


def merge(objects: list[bytes]) -> list[bytes]:
    """One object file in place of many; the same objects where one of them holds what is not understood."""
    merged = _Merged()
    try:
        for one in _by_calls([_Object(data) for data in objects]):
            merged.add(one)
    except (_Strange, struct.error, ValueError, IndexError):
        return objects
    return [merged.bytes()]
