"""The official module's names over Linkwork's physics, for scripts that say `import mujoco`. Not affiliated with the official project.

`linkwork exec` puts this package in front; nothing of ours imports it. What is not here raises by name when it is used.
"""
import functools as _functools
import operator as _operator
import sys as _sys
from importlib import import_module as _module
from pathlib import Path as _Path

_ROOT = str(_Path(__file__).resolve().parents[3])
_sys.path.insert(0, _ROOT)     # a script's own folder may hold a `physics` too
try:
    import assets as _assets
    import physics as _physics
finally:
    _sys.path.remove(_ROOT)
for _package in (_physics, _assets):
    if not str(_package.__file__).startswith(_ROOT):
        raise ImportError(f"{_package.__name__} is {_package.__file__}, imported before mujoco: a script under `linkwork exec` cannot have a module of that name of its own")

import numpy as _np  # noqa: E402

from . import gl_context, renderer  # noqa: E402, F401
from . import missing as _missing  # noqa: E402
from .data import MjData  # noqa: E402, F401
from .data_structs import MjContact, MjLROpt, MjSolverStat, MjTimerStat, MjWarningStat  # noqa: E402, F401
from .enums import made as _made  # noqa: E402
from .errors import FatalError, UnexpectedError  # noqa: E402, F401
from .functions.calls import documentation as _documentation  # noqa: E402
from .functions.calls import functions as _functions  # noqa: E402
from .functions.delay import TABLE as _DELAYS  # noqa: E402
from .functions.model import FUNCTIONS as _MODEL_FUNCTIONS  # noqa: E402
from .functions.model import callback_functions as _callback_functions  # noqa: E402
from .functions.mouse import TABLE as _MOUSE  # noqa: E402
from .functions.quaternion import TABLE as _QUATERNIONS  # noqa: E402
from .functions.query import TABLE as _QUERIES  # noqa: E402
from .functions.render import TABLE as _RENDERING  # noqa: E402
from .functions.room import TABLE as _ROOM  # noqa: E402
from .functions.step import stage_functions as _stage_functions  # noqa: E402
from .functions.vector import TABLE as _VECTORS  # noqa: E402
from .functions.visualize import FUNCTIONS as _SCENES  # noqa: E402
from .generation import EQ_WIDTH as _EQ_WIDTH  # noqa: E402
from .generation import NUMBER as mjVERSION_HEADER  # noqa: E402, F401
from .generation import VERSION as __version__  # noqa: E402, F401
from .gl_context import GLContext  # noqa: E402, F401
from .model import MjModel  # noqa: E402, F401
from .model_structs import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba  # noqa: E402, F401
from .old_names import full_m_either_way as _full_m_either_way  # noqa: E402
from .old_names import old_mass_matrix as _old_mass_matrix  # noqa: E402
from .picture_structs import TABLE as _PICTURES  # noqa: E402, F401
from .picture_structs import MjrRect, MjrRendererInfo, MjvCamera, MjvFigure, MjvGLCamera, MjvLight, MjvOption, MjvPerturb  # noqa: E402, F401
from .pictures.context import MjrContext  # noqa: E402, F401
from .renderer import Renderer  # noqa: E402, F401
from .scene_structs import MjvGeom, MjvScene  # noqa: E402, F401
from .spec import CLASSES as _SPEC_CLASSES  # noqa: E402
from .tables.constants import CONSTANTS as _CONSTANTS  # noqa: E402
from .tables.known_functions import CLASSES as _CLASSES  # noqa: E402
from .tables.known_functions import FUNCTIONS as _KNOWN  # noqa: E402

__linkwork__ = True
MJTNUM_DTYPE, MJTNUM_BYTES = _np.float64, 8
HEADERS_DIR = PLUGINS_DIR = ""
PLUGIN_HANDLES = ()

_space = globals()
_space.update(_CONSTANTS, mjNEQDATA=_EQ_WIDTH)
_space.update(_made(__name__))
for _table in (_DELAYS, _QUERIES, _VECTORS, _QUATERNIONS, _PICTURES, _ROOM, _MOUSE, _RENDERING):
    _space.update(_functions(_table))
_space.update(_stage_functions())
_space.update(_callback_functions())
for _function in (*_MODEL_FUNCTIONS, *_SCENES):
    _function.__doc__, _function.__module__ = _documentation(_function.__name__, _function), __name__
    _space[_function.__name__] = _function
_space["mj_fullM"] = _full_m_either_way(_space["mj_fullM"])
MjData.qM = property(lambda self: _old_mass_matrix(self._inner))
for _kind in (MjModel, MjData, MjContact, MjLROpt, MjSolverStat, MjTimerStat, MjWarningStat, MjOption, MjStatistic, MjVisual, MjrContext, MjrRect, MjrRendererInfo,
              MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, MjvScene):
    _kind.__module__ = __name__
for _kind in _SPEC_CLASSES:
    _kind.__module__ = __name__
    _space[_kind.__name__] = _kind
MjStruct = _functools.reduce(_operator.or_, (_kind for _name, _kind in _space.items() if _name.startswith("Mj") and isinstance(_kind, type)))


def from_zip(file):
    """The MjSpec of the model in a zip file, with its assets."""
    return _space["MjSpec"].from_zip(file)


def to_zip(spec, file):
    """Write a MjSpec's text and its assets into a zip file."""
    spec.to_zip(file)


_LATER_FUNCTIONS = frozenset(_name for _name, _arguments, _result in _KNOWN if _name not in _space)
if gl_context.DISABLED:
    del GLContext
_LATER_CLASSES = frozenset(_name for _name in _CLASSES if _name not in _space)
_MODULES = ("viewer", "rollout", "batch", "minimize")      # here, and imported when asked for
_LATER_MODULES = ("mjx", "usd", "rendering", "sysid", "msh2obj", "studio", "introspect")
_missing.put_modules(__name__, _LATER_MODULES)
_space.update(gl_context.put_modules(__name__))


def is_here(name: str) -> bool:
    """Whether a name, such as mj_step, mjtObj.mjOBJ_BODY or viewer.launch, can be used."""
    first, _, rest = name.partition(".")
    if first in _MODULES:
        return not rest or hasattr(_module(f"{__name__}.{first}"), rest.partition(".")[0])
    return first in _space and not first.startswith("_") and first not in (*_LATER_MODULES, *_LATER_FUNCTIONS, *_LATER_CLASSES) and (not rest or hasattr(_space[first], rest.partition(".")[0]))


def __getattr__(name):
    """Official names that are not here: they raise when used, not before."""
    if name in _LATER_FUNCTIONS or name in _LATER_CLASSES:
        return _space.setdefault(name, _missing.missing_function(name) if name in _LATER_FUNCTIONS else _missing.missing_class(name))
    if name in _MODULES:
        return _module(f"{__name__}.{name}")
    if name in _LATER_MODULES:
        return _sys.modules[f"{__name__}.{name}"]
    raise AttributeError(f"module 'mujoco' has no attribute {name!r}")


def __dir__():
    return sorted({_name for _name in _space if not _name.startswith("_")} | _LATER_FUNCTIONS | _LATER_CLASSES | {*_MODULES})
