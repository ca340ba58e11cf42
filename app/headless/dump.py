"""linkwork dump: every field of a model, or of its state."""
from __future__ import annotations

from app.headless.models import come_to, data_of, load
from app.headless.outcome import Failed


def command_dump(arguments) -> dict:
    """Every field of a model or of a state, as text."""
    from physics.files.atomic_write import write_file
    from physics.writer import dump

    m = load(arguments.model, arguments.compat, engine=arguments.engine)
    if arguments.data:
        d = data_of(m, arguments.key)
        come_to(m, d, arguments.time)
        text = dump.dump_data(d, arguments.full)
    else:
        text = dump.dump_model(m, arguments.full)
    if arguments.output is None:
        return {"text": text, "dump": text}
    try:
        write_file(arguments.output, text)
    except OSError as error:
        raise Failed(f"{arguments.output} cannot be written: {error}") from None
    return {"text": f"{arguments.output}: {len(text)} characters", "output": str(arguments.output)}
