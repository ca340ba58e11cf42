"""The whole MJCF language as one table: every element and attribute of MuJoCo 4.0.0, supported by us or not.

The rows live in three files by section, those of older versions in table_legacy.py; this is how to read them.

    [path cardinality]            an element; body stands for worldbody, body, frame and replicate contents
    [path cardinality] = other -a -b     the same attributes as `other` without a and b
    [+group]  ...  +group -a      a set of rows, and its use without attribute a
    name type [= default] [!]     an attribute; `!` means it must be given
    % rule names ...              exclusive: at most one; oneof: at least one; together: all or none; a+b is one unit

cardinality: `!` exactly once, `?` at most once in its parent, `*` any number, `R` also inside itself.

types: real, int            one number
       real N, int N        exactly N;  `a..b` from a to b;  `a|b` either count;  `*` any count;  `*N` at most N
                            (a shorter list replaces the first values of the inherited list; with `repeat` its last fills the rest)
       bool (false true)    tri (false true auto)    flag (disable enable)
       a|b|c                one keyword              words a|b|c   one or more keywords
       id NS, ref NS        a name declared in, or looked up in, the namespace NS
       eulerseq             three of x y z X Y Z
       str, file, dir       text

What of this we build already is said in support.py; words for people are in schema_docs.py.
Facts from the schema and XML reference that the 4.0.0 release documents.
"""

from __future__ import annotations

from physics.schema.table_action import ACTION
from physics.schema.table_legacy import LEGACY
from physics.schema.table_scene import SCENE
from physics.schema.table_settings import SETTINGS

__all__ = ["TABLES"]

TABLES = (SETTINGS, SCENE, ACTION, LEGACY)
