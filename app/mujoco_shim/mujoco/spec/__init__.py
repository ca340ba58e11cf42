"""Models that can be edited: MjSpec and its elements, translated from and to Linkwork's tree of elements."""
from . import methods  # noqa: F401 - it gives the classes methods
from .actuators import MjsActuator
from .bodies import MjsBody, MjsFrame, MjsSite
from .compiler_settings import MjsCompiler
from .defaults import MjsDefault
from .elements import PLAIN, MjsElement
from .fields import MjsAuthored, MjsOrientation
from .meshes import MjsMesh
from .model_spec import MjSpec
from .plugins import MjsPlugin
from .tendons import MjsTendon, MjsTendonPath, MjsWrap
from .vectors import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec
from .vfs import MjVfs

CLASSES = (MjSpec, MjsElement, MjsActuator, MjsAuthored, MjsBody, MjsCompiler, MjsDefault, MjsFrame, MjsMesh, MjsOrientation, MjsPlugin, MjsSite, MjsTendon, MjsTendonPath,
           MjsWrap, MjVfs, MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec, *PLAIN)
__all__ = ["CLASSES", "MjSpec"]
