"""Linkwork for scripts: models, their simulation, and windows that show it.

    import linkwork

    m = linkwork.load("arm.xml")
    d = linkwork.Data(m)
    with linkwork.launch_passive(m, d) as viewer:
        while viewer.is_running():
            linkwork.step(m, d)
            viewer.sync()

All public names of the package `physics` are here too. Each is imported when it is first used, so that a program starts quickly.
"""
from importlib import import_module
from types import MappingProxyType

_HOMES = MappingProxyType({
    "launch": "linkwork.full_window",
    "launch_passive": "linkwork.passive",
    "Handle": "linkwork.passive",
    "WindowError": "linkwork.window_process",
    "show": "linkwork.picture",
    "Picture": "linkwork.picture",
    "Pictures": "app.pictures",
    "init_geom": "linkwork.user_scene",
    "connector": "linkwork.user_scene",
    "CameraType": "linkwork.view",
    "VisFlag": "linkwork.view",
    "RenderFlag": "linkwork.view",
    "LabelMode": "linkwork.view",
    "FrameMode": "linkwork.view",
    "GridPos": "linkwork.view",
    "Figure": "app.passive.framed",
    "Rect": "app.passive.framed",
})


def _names() -> tuple[str, ...]:
    import physics

    return *_HOMES, *physics.__all__


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'linkwork' has no attribute {name!r}")
    if name not in _names():
        from physics.name_hints import ours

        raise AttributeError(f"module 'linkwork' has no attribute {name!r}{ours(name, _names()).replace('physics.', 'linkwork.')}")
    value = getattr(import_module(_HOMES.get(name, "physics")), name)
    globals()[name] = value   # found at once the next time
    return value


def __dir__():
    return sorted(_names())
