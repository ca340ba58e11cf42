"""linkwork check: everything wrong with models, with --lint also what the rules for models at rest say."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from app.headless.outcome import DONE, PROBLEM, USAGE, Failed

ROUNDS = 4      # of fixes: one may bring another about


@dataclass
class _Checked:
    """Of one file: issues of reader and compiler, findings of rules, labels of what was mended; text: why there are no findings."""

    issues: list
    findings: tuple = ()
    mended: list[str] = field(default_factory=list)
    text: str = ""


def _issue(issue) -> dict:
    place = issue.place
    return {"severity": issue.severity, "file": place.file if place else "", "line": place.line if place else 0,
            "column": place.column if place else 0, "path": issue.path, "what": issue.what, "hint": issue.hint}


def _finding(finding) -> dict:
    from physics.lint.table import by_id

    place = finding.place
    return {"rule": finding.rule, "severity": finding.severity, "file": place.file if place else "", "line": place.line if place else 0, "column": place.column if place else 0,
            "path": finding.path, "key": finding.key, "what": finding.text, "remedy": finding.remedy, "meaning": by_id(finding.rule).meaning,
            "elements": [{"kind": item.kind, "id": item.id, "name": item.name} for item in finding.items],
            "fixes": [{"label": fix.label, "keeps_motion": fix.keeps} for fix in finding.fixes]}


def _checked(path: Path, compat: str, lint: bool, fix: bool, rules: tuple[str, ...], engine: str | None) -> _Checked:
    """All issues of one file, errors or not, what its engine refuses or leaves out of account, and what the rules say of it."""
    import physics
    from app.bridge.assets.textures import texture_issues
    from physics.errors import Issue, Place
    from physics.mjcf.reader import read

    if not path.is_file():
        return _Checked([Issue("error", Place(str(path)), "", "there is no such file", "")])
    if path.suffix.lower() == ".lwb":   # holds no text
        try:
            m = physics.load(path)
            return _Checked([*m.view_only, *texture_issues(m), *_of_engine(m, engine)], text=f"{path}: a compiled model has no text that rules could look at" if lint else "")
        except physics.ModelError as error:
            return _Checked(list(error.issues))
    result = read(path)
    out = _Checked([])
    try:
        m = physics.compile_root(result, compat=compat)
    except physics.ModelError as error:
        found = list(error.issues)
        out.text = f"{path}: rules are for models that compile" if lint else ""
    else:
        found = [*m.view_only, *texture_issues(m), *_of_engine(m, engine)]
        if lint:
            out.findings, out.mended = _linted(path, m, result, compat, fix, rules)
    seen = {(i.place, i.what) for i in found}
    out.issues = found + [i for i in result.issues if (i.place, i.what) not in seen]
    return out


def _of_engine(m, engine: str | None) -> list:
    """What the hard engine has to say of a model, where it is asked for or the text chooses it."""
    from physics.enums import Engine
    from physics.simulate import hard_unsupported

    hard = m.opt.engine == Engine.HARD if engine is None else engine == "hard"
    return [*hard_unsupported.issues(m), *hard_unsupported.ignored(m)] if hard and not m.view_only else []


def _linted(path: Path, m, result, compat: str, fix: bool, rules: tuple[str, ...]) -> tuple[tuple, list[str]]:
    """(findings that stay, labels of what was mended)."""
    from app.headless.models import kernels
    from editor.document import Document
    from physics.lint.lint import lint

    kernels()
    document = Document.open(path) if fix else None
    if document is None or document.sealed:     # what lies in an archive is only read
        return lint(result, m, rules), []
    return _fixed(path, document, compat, rules)


def _fixed(path: Path, document, compat: str, rules: tuple[str, ...]) -> tuple[tuple, list[str]]:
    """Mend what can be mended without changing the motion, write the files, and look again."""
    import physics
    from editor.lint_fixes import edit_of
    from physics.lint.lint import lint

    mended = []
    for _ in range(ROUNDS):
        document.adopt(document.version().read.sources)
        read = document.version().read
        found = lint(read, physics.compile_root(read, compat=compat), rules)
        fixes = [f.fixes[0] for f in found if f.fixes and f.fixes[0].keeps]
        if not fixes:
            break
        edit = edit_of(document.version(), fixes)
        document.apply(edit)
        try:
            physics.compile_root(document.version().read, compat=compat)
        except physics.ModelError as error:
            document.undo()
            raise Failed(f"{path}: not mended, as it would not compile any more: {error.issues[0]}") from None
        mended += [fix.label for fix in fixes]
    if mended:
        try:
            document.save()
        except OSError as error:
            raise Failed(f"{path}: not mended: {error}") from None
    return found, mended


def command_check(arguments) -> dict:
    """List every problem of every file."""
    lint = arguments.lint or arguments.fix or bool(arguments.rule)
    _check_rules(arguments.rule or ())
    bad, files, lines = 0, [], []
    for path in arguments.models:
        checked = _checked(path, arguments.compat, lint, arguments.fix, tuple(arguments.rule or ()), arguments.engine)
        severities = [one.severity for one in (*checked.issues, *checked.findings)]
        worst = "error" in severities
        bad += worst or (arguments.strict and any(severity != "note" for severity in severities))
        broken = any(i.severity == "error" for i in checked.issues)
        verdict = "has errors" if broken else "can be viewed only" if any(i.severity == "view" for i in checked.issues) else "ok"
        row = {"model": str(path), "verdict": verdict, "issues": [_issue(i) for i in checked.issues]}
        lines += [*map(str, checked.issues), *map(str, checked.findings), *(f"{path}: mended: {label}" for label in checked.mended), *filter(None, [checked.text])]
        if lint:
            row |= {"findings": [_finding(f) for f in checked.findings], "mended": checked.mended}
            verdict += _counts(checked)
        lines.append(f"{path}: {verdict}")
        files.append(row)
    return {"text": "\n".join(lines), "code": PROBLEM if bad else DONE, "models": files}


def _check_rules(rules) -> None:
    """Raises Failed for an id that no rule has."""
    if rules:
        from physics.lint.table import RULES

        known = [rule.id for rule in RULES]
        for rule in rules:
            if rule not in known:
                raise Failed(f"there is no rule '{rule}', but {', '.join(known)}", USAGE)


def _counts(checked: _Checked) -> str:
    """', 2 warnings, 3 notes'."""
    counts = [(severity, sum(f.severity == severity for f in checked.findings)) for severity in ("error", "warning", "note")]
    return "".join(f", {n} {severity}{'' if n == 1 else 's'} of rules" for severity, n in counts if n)
