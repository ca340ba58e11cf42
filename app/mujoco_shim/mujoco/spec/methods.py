"""Methods of specifications and elements that need all of the others: they are given to the classes here, so that no module has to know those above it."""
from __future__ import annotations

from .attaching import attach, attach_body, attach_frame
from .bodies import MjsBody, MjsFrame, MjsSite
from .compiling import adopt_inertial, compiled, recompiled
from .copying import copy_of
from .deleting import delete
from .elements import MjsSensor
from .mjcf.archives import from_zip, to_zip
from .mjcf.reading import from_file, from_string
from .mjcf.sensor_words import data_size
from .mjcf.words import quaternion
from .mjcf.xml_text import to_xml
from .model_spec import MjSpec
from .reducing import dedup_assets, discard_visual, fuse_static

for _name, _function in (("attach", attach), ("compile", compiled), ("recompile", recompiled), ("copy", copy_of), ("delete", delete), ("to_xml", to_xml), ("to_zip", to_zip),
                         ("adopt_inertial", adopt_inertial), ("dedup_assets", dedup_assets), ("discard_visual", discard_visual), ("fuse_static", fuse_static)):
    setattr(MjSpec, _name, _function)
for _name, _function in (("from_file", from_file), ("from_string", from_string), ("from_zip", from_zip)):
    setattr(MjSpec, _name, staticmethod(_function))
MjsFrame.attach_body = MjsSite.attach_body = attach_body
MjsBody.attach_frame = attach_frame


def resolve_orientation(degree: bool, sequence=None, orientation=None) -> list[float]:
    """The quaternion of an orientation."""
    return quaternion(orientation, degree, "".join(sequence or "xyz")).tolist()


def get_data_size(sensor) -> int:
    """How many numbers a sensor gives, as far as its own fields tell."""
    return data_size(sensor._values)


MjSpec.resolve_orientation = staticmethod(resolve_orientation)
MjsSensor.get_data_size = get_data_size
