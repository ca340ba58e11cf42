"""The one way to find a file that is shipped with the program."""
from pathlib import Path

_ROOT = Path(__file__).resolve().parent


def asset(*parts: str) -> Path:
    """Path of a shipped file, e.g. asset('fonts', 'DejaVuSans.ttf'). Raises FileNotFoundError naming it."""
    path = _ROOT.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f'{path} is missing: the installation is incomplete')
    return path


def font() -> Path:
    """The bundled sans-serif font (DejaVu Sans; its licence lies beside it)."""
    return asset('fonts', 'DejaVuSans.ttf')


def bundled_model(name: str) -> Path:
    """Path of a bundled model, e.g. bundled_model('humanoid.xml'). Raises FileNotFoundError naming it."""
    path = _ROOT.parent / 'models' / name
    if not path.exists():
        raise FileNotFoundError(f'{path} is missing: the installation is incomplete')
    return path


def bundled_models() -> tuple[Path, ...]:
    """All bundled models, by name."""
    return tuple(sorted((_ROOT.parent / 'models').glob('*.xml')))
