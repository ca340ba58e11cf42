"""Which reader a mesh file gets: by its ending, MSH by the content type where one is given. A further format is a row here and a module beside this one."""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.decode.raw import RawMesh

_KINDS = MappingProxyType({".obj": "obj", ".stl": "stl"})
_MSH = "model/vnd.mujoco.msh"


def kind_of(ending: str, content: str | None) -> str | None:
    """'obj', 'stl' or 'msh'; None where no reader fits. ending: of the file's name, with its dot; content: the content type, None or '' where none is given."""
    return "msh" if (content == _MSH if content else ending == ".msh") else _KINDS.get(ending)


def decode(kind: str, data: bytes) -> RawMesh:
    """The mesh in a file of a kind. Raises MeshFileError."""
    from physics.compiler.decode import msh, obj, stl   # late: few models need them

    return {"obj": obj.read_obj, "stl": stl.read_stl, "msh": msh.read_msh}[kind](data)
