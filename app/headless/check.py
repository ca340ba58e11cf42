"""linkwork check: everything wrong with models."""
from __future__ import annotations

from pathlib import Path

from app.headless.outcome import DONE, PROBLEM


def _issue(issue) -> dict:
    place = issue.place
    return {"severity": issue.severity, "file": place.file if place else "", "line": place.line if place else 0,
            "column": place.column if place else 0, "path": issue.path, "what": issue.what, "hint": issue.hint}


def _problems(path: Path, compat: str) -> list:
    """All issues of one file, errors or not."""
    import physics
    from app.bridge.assets.textures import texture_issues
    from physics.errors import Issue, Place
    from physics.mjcf.reader import read

    if not path.is_file():
        return [Issue("error", Place(str(path)), "", "there is no such file", "")]
    if path.suffix.lower() == ".lwb":   # holds no text
        try:
            m = physics.load(path)
            return [*m.view_only, *texture_issues(m)]
        except physics.ModelError as error:
            return list(error.issues)
    result = read(path)
    try:
        m = physics.compile_root(result, compat=compat)
    except physics.ModelError as error:
        found = list(error.issues)
    else:
        found = [*m.view_only, *texture_issues(m)]
    seen = {(i.place, i.what) for i in found}
    return found + [i for i in result.issues if (i.place, i.what) not in seen]


def command_check(arguments) -> dict:
    """List every problem of every file."""
    bad, files, lines = 0, [], []
    for path in arguments.models:
        issues = _problems(path, arguments.compat)
        worst = any(i.severity == "error" for i in issues)
        bad += worst or (arguments.strict and any(i.severity != "note" for i in issues))
        verdict = "has errors" if worst else "can be viewed only" if any(i.severity == "view" for i in issues) else "ok"
        files.append({"model": str(path), "verdict": verdict, "issues": [_issue(i) for i in issues]})
        lines += [*map(str, issues), f"{path}: {verdict}"]
    return {"text": "\n".join(lines), "code": PROBLEM if bad else DONE, "models": files}
