"""From the tree of an expression to nodes that compute, for one Model: names become places in fields, shapes and units are checked."""
from __future__ import annotations

from math import inf, pi, prod
from types import MappingProxyType

import numpy as np

from physics.fields.layout import LAYOUTS
from physics.model.element_views import find_rows
from physics.model.model import ALIASES
from physics.name_hints import hint
from physics.quantities import node as nodes
from physics.quantities import units
from physics.quantities.constraint_rows import FRICTIONLOSS, LIMIT, ROW_VALUES, Place, equality_places, friction_places, limit_places, place_unit
from physics.quantities.contact_pair import CONTACT_VALUES
from physics.quantities.field_rows import element, field_shape, find_field, grows, public_fields, row_of, rows_of_name, rows_of_number
from physics.quantities.field_units import common_unit, entry_units, one_unit
from physics.quantities.frame_point import FORM, FRAMES, point
from physics.quantities.functions import FUNCTIONS
from physics.quantities.leaves import TIME, ContactLeaf, FieldLeaf, Leaf, RowLeaf
from physics.quantities.looking_back import FORMS, deriv, lowpass
from physics.quantities.node import Node
from physics.quantities.syntax import Attribute, Call, ExpressionError, Index, Name, Number, Operation, Text

CONSTANTS = MappingProxyType({"pi": pi, "inf": inf, "true": 1.0, "false": 0.0})
GROUPS = ("opt", "stat")
LIMITS = MappingProxyType({LIMIT: limit_places, FRICTIONLOSS: friction_places})      # what joints and tendons may have
LIMITED = ("joint", "tendon")
REDUCES = ("sum", "min", "max", "mean", "norm")     # what makes one number of all rows there are


class Compiler:
    """Makes the nodes of one expression. leaves: what they read, once each."""

    def __init__(self, m):
        self._m = m
        self.leaves: list[Leaf] = []
        self._texts: dict[Leaf, str] = {}      # units of leaves as the tables write them
        self._looking_back = 0

    def node(self, tree) -> Node:
        """The node of a tree. Raises ExpressionError."""
        match tree:
            case Number():
                return nodes.constant(tree.value)
            case Name():
                return self._name(tree)
            case Index():
                return self._index(tree)
            case Attribute():
                return self._attribute(tree)
            case Call():
                return self._call(tree)
            case Operation():
                return self._operation(tree)
        raise ExpressionError(tree.at, "a name in quotes stands in brackets behind a field, or is given to a function")

    def unit(self, root: Node) -> str:
        """The unit of the whole as text: as the tables write it where it is that of what is read ('J' and 'N m' are the same product of base units)."""
        texts = {self._texts[leaf] for leaf in self.leaves if leaf != TIME}
        read = next(iter(texts)) if len(texts) == 1 else ""
        return read if read and root.unit is not None and units.read(read) == root.unit else units.write(root.unit)

    # ------------------------------------------------ fields

    def _leaf(self, leaf: Leaf, text: str) -> Node:
        """A node for what is read; text: its unit, '*' where that is not known or its entries have different ones."""
        if leaf not in self.leaves:
            self.leaves.append(leaf)
        self._texts[leaf] = text
        return nodes.leaf(self.leaves.index(leaf), leaf.shape, units.read(text))

    def _name(self, tree: Name) -> Node:
        if tree.name in CONSTANTS:
            return nodes.constant(CONSTANTS[tree.name])
        return self._field(tree.at, tree.name)

    def _row(self, at: int, name: str):
        if find_field(name) is None:
            said = f"'{name}' is a function: {self._form(name)}" if self._form(name) else f"the model and its data have no field '{name}'{hint(name, (*public_fields(), *FUNCTIONS, *CONSTANTS))}"
            raise ExpressionError(at, said)
        row = row_of(name)
        if not row.is_scalar and np.dtype(row.kind).kind not in "iufb":
            raise ExpressionError(at, f"{name} holds no numbers")
        return row

    @staticmethod
    def _form(name: str) -> str:
        if name in ALIASES:
            return f'{name}("name").xpos, or another value of a {ALIASES[name]}'
        own = {"contact": 'contact("a", "b").force', "point": FORM, **dict.fromkeys(LIMITS, f'{name}("joint").force')}
        return FUNCTIONS[name].form if name in FUNCTIONS else FORMS[name][0] if name in FORMS else own.get(name, "")

    def _field(self, at: int, name: str) -> Node:
        """A whole field."""
        row = self._row(at, name)
        of_data = bool(find_field(name))
        if row.is_scalar:
            return self._leaf(FieldLeaf(name, of_data, (), (0,), (0,)), row.unit)
        shape = field_shape(self._m, row)
        return self._leaf(FieldLeaf(name, of_data, shape, None), row.unit if grows(row) else common_unit(self._m, row, shape[0], prod(shape[1:])))

    def _entries(self, row, rows: tuple[int, ...], inner: tuple[int, ...], shape: tuple[int, ...]) -> Node:
        """Entries of a field: these rows, all of them as one axis, and in each the part at `inner`. shape: that of the result."""
        inside = field_shape(self._m, row)[1:]
        width = prod(inside)
        start = int(np.ravel_multi_index(inner + (0,) * (len(inside) - len(inner)), inside)) if inside and width else 0
        length = prod(inside[len(inner):])
        places = tuple(k * width + start + c for k in rows for c in range(length))
        column = start if inner and len(inner) == len(inside) else None
        unit = one_unit(entry_units(self._m, row, rows, column, width))
        return self._leaf(FieldLeaf(row.name, bool(find_field(row.name)), shape, places, tuple(k for k in rows for _ in range(length))), unit)

    def _index(self, tree: Index) -> Node:
        if isinstance(tree.of, Name) and tree.of.name not in CONSTANTS:
            return self._field_index(tree, self._row(tree.of.at, tree.of.name))
        if isinstance(tree.of, Attribute) and isinstance(tree.of.of, Name) and tree.of.of.name in GROUPS:
            return self._field_index(tree, self._row(tree.of.at, self._grouped(tree.of)))
        before = len(self.leaves)
        of = self.node(tree.of)
        return self._numbered(of, tree.indices, before)

    def _numbered(self, of: Node, indices, before: int) -> Node:
        """Entries of a value by number; of a leaf they are one of their own. before: how many leaves there were before it."""
        self._settled(of, indices[0][0])
        for at, index in indices:
            if isinstance(index, str):
                raise ExpressionError(at, "entries of a vector are given by number")
        chosen = tuple(index for _, index in indices)
        try:
            found = nodes.entries(of, chosen)
        except ValueError as why:
            raise ExpressionError(indices[-1][0], str(why)) from None
        leaf = self.leaves[of.leaf] if of.leaf >= 0 else None
        if isinstance(leaf, RowLeaf):
            del self.leaves[before:]
            return self._rows(leaf.value, (leaf.places[chosen[0]],))
        if not isinstance(leaf, FieldLeaf):
            return found
        del self.leaves[before:]
        row = row_of(leaf.name)
        width = prod(field_shape(self._m, row)[1:])
        known = np.arange(prod(leaf.shape)) if leaf.places is None else np.array(leaf.places)
        places = known.reshape(leaf.shape)[chosen].ravel().tolist()
        rows = [place // max(width, 1) for place in places]
        texts = [entry_units(self._m, row, (k,), place - k * width, width)[0] for place, k in zip(places, rows, strict=True)]
        return self._leaf(FieldLeaf(leaf.name, leaf.of_data, found.shape, tuple(places), tuple(rows)), one_unit(texts))

    def _field_index(self, tree: Index, row) -> Node:
        if row.is_scalar:
            raise ExpressionError(tree.indices[0][0], f"{row.name} is a single number")
        (at, first), rest = tree.indices[0], tree.indices[1:]
        try:
            rows = rows_of_name(self._m, row, first) if isinstance(first, str) else rows_of_number(self._m, row, first)
        except ValueError as why:
            raise ExpressionError(at, str(why)) from None
        inside = field_shape(self._m, row)[1:]
        many = isinstance(first, str) and len(rows) != 1
        if len(rest) > len(inside):
            if many and len(rest) == 1:      # of a thing with several entries one: qpos["ball", 2]
                before = len(self.leaves)
                return self._numbered(self._entries(row, rows, (), (len(rows), *inside)), rest, before)
            axes = 1 + len(inside)
            raise ExpressionError(rest[len(inside)][0], f"{row.name} has {axes} {'axis' if axes == 1 else 'axes'}")
        for (place, index), size in zip(rest, inside, strict=False):
            if isinstance(index, str):
                raise ExpressionError(place, "only the first index may be a name")
            if not 0 <= index < size:
                raise ExpressionError(place, f"{row.name} has {size} entries in a row, from 0 on")
        inner = tuple(index for _, index in rest)
        return self._entries(row, rows, inner, ((len(rows),) if many else ()) + inside[len(inner):])

    # ------------------------------------------------ elements

    def _grouped(self, tree: Attribute) -> str:
        """opt.timestep is opt_timestep."""
        name = f"{tree.of.name}_{tree.name}"
        if find_field(name) is None:
            prefix = tree.of.name + "_"
            raise ExpressionError(tree.at, f"{tree.of.name} has no '{tree.name}'{hint(tree.name, [other.removeprefix(prefix) for other in LAYOUTS['m'].public if other.startswith(prefix)])}")
        return name

    def _attribute(self, tree: Attribute) -> Node:
        of = tree.of
        if isinstance(of, Name) and of.name in GROUPS:
            return self._field(tree.at, self._grouped(tree))
        if isinstance(of, Call) and of.name == "contact":
            return self._contact(tree.at, of, tree.name)
        if isinstance(of, Call) and of.name in LIMITS:
            return self._limit(tree.at, of, tree.name)
        if isinstance(of, Call) and ALIASES.get(of.name) == "equality" and tree.name in ROW_VALUES:
            return self._equality(of, tree.name)
        if isinstance(of, Call) and of.name in ALIASES:
            return self._of_element(ALIASES[of.name], self._element(of), tree)
        raise ExpressionError(tree.at, f"'.{tree.name}' stands behind an element, such as body(\"name\").{tree.name}")

    def _element(self, call: Call) -> int:
        """Number of the element that body("name") or body(3) means."""
        kind = ALIASES[call.name]
        if len(call.arguments) != 1 or not isinstance(call.arguments[0], Text | Number):
            raise ExpressionError(call.at, f'write {call.name}("name") or {call.name}(number)')
        key = call.arguments[0]
        if isinstance(key, Text):
            try:
                return element(self._m, kind, key.text)
            except ValueError as why:
                raise ExpressionError(key.at, str(why)) from None
        count = len(self._m.names[kind])
        if key.value != int(min(max(key.value, -1.0), 2.0**31)) or not 0 <= key.value < count:
            raise ExpressionError(key.at, f"there are {count} of the kind {kind}, from 0 on")
        return int(key.value)

    def _of_element(self, kind: str, number: int, tree: Attribute) -> Node:
        for letter in "dm":
            found = find_rows(LAYOUTS[letter], self._m, kind, number, tree.name)
            if found is not None:
                field, rows = found
                row = self._row(tree.at, field)
                inside = field_shape(self._m, row)[1:]
                if isinstance(rows, int):
                    return self._entries(row, (rows,), (), inside)
                chosen = tuple(range(rows.start, rows.stop))
                return self._entries(row, chosen, (), inside if len(chosen) == 1 else (len(chosen), *inside))
        from physics.model.element_views import ElementView, view_fields

        raise ExpressionError(tree.at, f"a {kind} has no '{tree.name}'{hint(tree.name, self._attributes(kind, number, ElementView, view_fields))}")

    def _attributes(self, kind: str, number: int, view, fields) -> list[str]:
        from physics.model.data import Data

        known = list(fields(view(self._m, self._m, kind, number)))
        return known + [name for name in (row.removeprefix(f"{kind}_") for row in Data.layout.public) if find_rows(LAYOUTS["d"], self._m, kind, number, name) is not None]

    def _contact(self, at: int, call: Call, value: str) -> Node:
        if value not in CONTACT_VALUES:
            raise ExpressionError(at, f"contact(...) has no '{value}'{hint(value, CONTACT_VALUES)}; there are: {', '.join(CONTACT_VALUES)}")
        if not 1 <= len(call.arguments) <= 2:
            raise ExpressionError(call.at, 'write contact("a", "b"), or contact("a") for whatever touches it')
        sets = [self._geoms(one) for one in call.arguments]
        leaf = ContactLeaf(value, sets[0], sets[1] if len(sets) > 1 else None)
        return self._leaf(leaf, CONTACT_VALUES[value].unit)

    def _geoms(self, argument) -> frozenset[int]:
        """The geoms that "name", geom("name") or body("name") means; a bare name is a geom's, else a body's."""
        if isinstance(argument, Text):
            geom, body = self._m.id("geom", argument.text), self._m.id("body", argument.text)
            if geom < 0 and body < 0:
                names = [name for kind in ("geom", "body") for name in self._m.names[kind] if name]
                raise ExpressionError(argument.at, f"there is no geom or body '{argument.text}'{hint(argument.text, names)}")
        elif isinstance(argument, Call) and ALIASES.get(argument.name) in ("geom", "body"):
            found = self._element(argument)
            geom, body = (found, -1) if ALIASES[argument.name] == "geom" else (-1, found)
        else:
            raise ExpressionError(argument.at, 'contact takes names of geoms or bodies: contact("a", "b"), contact(body("a"), geom("b"))')
        if geom >= 0:
            return frozenset((geom,))
        return frozenset(np.flatnonzero(np.asarray(self._m.geom_bodyid) == body).tolist())

    # ------------------------------------------------ constraint rows

    def _rows(self, value: str, places: tuple[Place, ...]) -> Node:
        """A number for each place; a single one is no vector."""
        shape = (len(places),) if len(places) > 1 else ()
        return self._leaf(RowLeaf(value, places, shape), one_unit(place_unit(self._m, value, place) for place in places))

    def _equality(self, call: Call, value: str) -> Node:
        try:
            return self._rows(value, equality_places(self._m, self._element(call)))
        except ValueError as why:
            if isinstance(why, ExpressionError):
                raise
            raise ExpressionError(call.at, str(why)) from None

    def _limit(self, at: int, call: Call, value: str) -> Node:
        """limit("knee").force, frictionloss(tendon("rope")).force: a bare name is a joint's, else a tendon's."""
        if value not in ROW_VALUES:
            raise ExpressionError(at, f"{call.name}(...) has no '{value}'{hint(value, ROW_VALUES)}; there are: {', '.join(ROW_VALUES)}")
        given = call.arguments[0] if len(call.arguments) == 1 else None
        if isinstance(given, Text):
            kind = next((kind for kind in LIMITED if self._m.id(kind, given.text) >= 0), "")
            if not kind:
                raise ExpressionError(given.at, f"there is no joint or tendon '{given.text}'{hint(given.text, [name for kind in LIMITED for name in self._m.names[kind] if name])}")
            number = self._m.id(kind, given.text)
        elif isinstance(given, Call) and ALIASES.get(given.name) in LIMITED:
            kind, number = ALIASES[given.name], self._element(given)
        else:
            raise ExpressionError(call.at, f'write {call.name}("joint"), {call.name}(joint("a")) or {call.name}(tendon("b"))')
        return self._rows(value, LIMITS[call.name](self._m, kind, number))

    # ------------------------------------------------ functions and operations

    def _settled(self, of: Node, at: int) -> None:
        """What enters an operation has a number of entries that stays."""
        if not of.shape or of.shape[0]:
            return
        field = next((leaf.name for leaf in self.leaves if isinstance(leaf, FieldLeaf) and leaf.places is None and leaf.shape == of.shape and grows(row_of(leaf.name))), "")
        if field:
            raise ExpressionError(at, f"the number of rows of {field} changes from step to step: give one row, or make one number of all with {', '.join(REDUCES)}")

    def _call(self, tree: Call) -> Node:
        name = tree.name
        if name in FORMS:
            return self._look_back(tree)
        if name == "point":
            return self._point(tree)
        if name == "contact" or name in LIMITS or name in ALIASES:
            raise ExpressionError(tree.at, f"say which value is meant: {self._form(name)}")
        if name not in FUNCTIONS:
            raise ExpressionError(tree.at, f"there is no function '{name}'{hint(name, (*FUNCTIONS, *FORMS, *ALIASES, *LIMITS, 'contact', 'point'))}")
        function = FUNCTIONS[name]
        if not function.least <= len(tree.arguments) <= function.most:
            raise ExpressionError(tree.at, f"write {function.form}: {function.doc}")
        arguments = tuple(self.node(one) for one in tree.arguments)
        if name not in REDUCES or len(arguments) > 1:
            for one, given in zip(arguments, tree.arguments, strict=True):
                self._settled(one, given.at)
        try:
            return nodes.apply(function, arguments)
        except ValueError as why:
            raise ExpressionError(tree.at, f"{name}: {why}") from None

    def _point(self, tree: Call) -> Node:
        of, *local = tree.arguments or (None,)
        kind = ALIASES.get(of.name, "") if isinstance(of, Call) else ""
        if kind not in FRAMES or len(local) != 3:
            raise ExpressionError(tree.at, f"write {FORM}: a point of a {', '.join(FRAMES)} in world axes, x, y and z in its frame")
        number = self._element(of)
        origin, matrix = (self._entries(self._row(tree.at, field), (number,), (), (size,)) for field, size in zip(FRAMES[kind], (3, 9), strict=True))
        try:
            return point(origin, matrix, [self.node(one) for one in local])
        except ValueError as why:
            raise ExpressionError(tree.at, str(why)) from None

    def _look_back(self, tree: Call) -> Node:
        wanted = 1 if tree.name == "deriv" else 2
        if len(tree.arguments) != wanted:
            raise ExpressionError(tree.at, f"write {FORMS[tree.name][0]}: {FORMS[tree.name][1]}")
        of, *rest = (self.node(one) for one in tree.arguments)
        self._settled(of, tree.at)
        self._looking_back += 1
        number, time = self._looking_back, self._leaf(TIME, "s")
        if tree.name == "deriv":
            return deriv(number, of, time)
        try:
            return lowpass(number, of, rest[0], time)
        except ValueError as why:
            raise ExpressionError(tree.at, str(why)) from None

    def _operation(self, tree: Operation) -> Node:
        operands = [self.node(one) for one in tree.operands]
        for one, given in zip(operands, tree.operands, strict=True):
            self._settled(one, given.at)
        if len(operands) == 1:
            return nodes.sign(tree.sign, operands[0])
        exponent = None
        if tree.sign == "**" and operands[1].constant:
            with np.errstate(all="ignore"):
                exponent = float(operands[1].evaluate([np.zeros(1)], {})[0])
            exponent = exponent if abs(exponent) < 100 else None
        try:
            return nodes.operation(tree.sign, *operands, exponent)
        except ValueError as why:
            raise ExpressionError(tree.at, str(why)) from None
