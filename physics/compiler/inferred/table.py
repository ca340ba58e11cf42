"""All rules by the path of an element and the name of an attribute."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.compiler.inferred import limits, masses, poses
from physics.compiler.inferred.rule import Rule


def _by_attribute() -> Mapping[tuple[str, str], tuple[Rule, ...]]:
    found: dict[tuple[str, str], list[Rule]] = {}
    for rule in (*poses.RULES, *masses.RULES, *limits.RULES):
        for attribute in rule.attributes:
            found.setdefault((rule.path, attribute), []).append(rule)
    return MappingProxyType({key: tuple(rules) for key, rules in found.items()})


RULES: Mapping[tuple[str, str], tuple[Rule, ...]] = _by_attribute()
