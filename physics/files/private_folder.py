"""Whether a folder or file can have been written by somebody else: what is loaded from a cache runs, or becomes a model.

On systems with POSIX permissions the owner must be this user or root, and nobody else may write; a group that holds this user alone counts as
this user (the usual set-up where new files are writable for the group). Elsewhere nothing is refused: the user's own folders are private there.
"""
from __future__ import annotations

import os
import stat
from functools import lru_cache


def refuse_shared(folder: str | os.PathLike) -> str:
    """Why this folder (or file) must not be believed, in words; '' where it can be, or where there is none."""
    try:
        states = (os.lstat(folder), os.stat(folder))   # a link can be turned elsewhere by who owns it
    except OSError:
        return ""
    reasons = (written_by_others(s) for s in states if not stat.S_ISLNK(s.st_mode) or not _is_ours(s.st_uid))
    return next((f"{os.fspath(folder)}: {r}" for r in reasons if r), "")


def written_by_others(state: os.stat_result) -> str:
    """The same for the state of an open file or folder: 'it belongs to user 1001', 'every user may write to it', ..."""
    if os.name != "posix":
        return ""
    if not _is_ours(state.st_uid):
        return f"it belongs to user {state.st_uid}"
    if state.st_mode & stat.S_IWOTH:
        return "every user may write to it"
    if state.st_mode & stat.S_IWGRP and not _is_own_group(state.st_gid):
        return f"group {state.st_gid} may write to it"
    return ""


def make_private(folder: str | os.PathLike) -> None:
    """Make a folder that only this user may write to, where it is missing. Raises OSError."""
    os.makedirs(folder, mode=0o700, exist_ok=True)


def _is_ours(user: int) -> bool:
    return user in (os.geteuid(), 0)


@lru_cache(maxsize=8)
def _is_own_group(group: int) -> bool:
    """Whether a group holds nobody but this user: it bears the user's name and lists no other member."""
    import grp
    import pwd

    try:
        me, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == me.pw_gid and found.gr_name == me.pw_name and set(found.gr_mem) <= {me.pw_name}
