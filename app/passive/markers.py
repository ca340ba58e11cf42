"""What a script draws into its window, handed on to the store of markers: the only place that knows both sides.

    linkwork.UserScene --sync--> (geoms, calls) --replay--> context.markers (app/bridge/markers)
"""
from __future__ import annotations

OWNER = "script"


def replay(context, geoms, calls) -> None:
    """calls: (method, arguments, options) for each marker that is added, or a clear; geoms: None where they are as before, else the same for all that takes the place
    of those that were there. Nothing where this window has no store of markers. Raises what the methods raise."""
    markers = getattr(context, "markers", None)
    if markers is None:
        return
    mine = markers.owner(OWNER)
    for method, arguments, options in calls:
        getattr(mine, method)(*arguments, **options)
    if geoms is not None:
        with markers.frame(OWNER) as frame:
            for method, arguments, options in geoms:
                getattr(frame, method)(*arguments, **options)
