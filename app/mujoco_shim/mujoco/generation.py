"""Which of the official interfaces a script was written for: 3.3, 3.17 or 4.0, from the environment that `linkwork exec --api` sets."""
from __future__ import annotations

import os
from types import MappingProxyType

VARIABLE = "LINKWORK_MUJOCO_API"
VERSIONS = MappingProxyType({"3.3": "3.3.7", "3.17": "3.17.0", "4.0": "4.0.0"})   # interface -> the version that the module says to have
API = os.environ.get(VARIABLE, "4.0")
if API not in VERSIONS:
    raise ImportError(f"{VARIABLE} is {API!r}; there are {', '.join(VERSIONS)}")
VERSION = VERSIONS[API]
EQ_WIDTH = 11 if API == "3.3" else 12     # columns of eq_data
# what mj_version() says: major * 10^6 + minor * 10^3 + patch from 3.4 on, three digits before
NUMBER = int(VERSION.replace(".", "")) if API == "3.3" else int("".join(f"{int(part):03d}" for part in VERSION.split(".")))
