"""What made a recording: versions and the machine, as words."""
from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

PACKAGES = ("linkwork", "numpy", "numba", "llvmlite", "h5py")


def about(**more: object) -> Mapping[str, str]:
    """{name: words}: versions, the machine, the date, and what else is given."""
    told = {name: _version(name) for name in PACKAGES}
    told.update(python=sys.version.split()[0], system=f"{platform.system()} {platform.release()}", machine=platform.machine(), processor=processor(),
                created=datetime.now().astimezone().isoformat(timespec="seconds"))
    told.update((name, str(value)) for name, value in more.items())
    return MappingProxyType(told)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def processor() -> str:
    """The processor's name: another one may round otherwise."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass    # not Linux
    return platform.processor()
