"""linkwork convert: a model in another form."""
from __future__ import annotations

from app.headless.models import load
from app.headless.outcome import USAGE, Failed


def command_convert(arguments) -> dict:
    """Read a model and write it in another form."""
    import physics

    ending = arguments.output.suffix.lower()
    if ending not in (".xml", ".zip", ".lwb"):
        raise Failed(f"{arguments.output}: a model is written as .xml, .zip or .lwb, not as '{ending}'", USAGE)
    if arguments.output.resolve() == arguments.model.resolve():
        raise Failed(f"{arguments.output}: this would replace the model that is read", USAGE)
    m = load(arguments.model, arguments.compat)
    try:
        warnings = physics.save(m, arguments.output)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    lines = [*(f"warning: {w}" for w in warnings), f"{arguments.output}: {arguments.output.stat().st_size} bytes"]
    return {"text": "\n".join(lines), "output": str(arguments.output), "warnings": list(warnings)}
