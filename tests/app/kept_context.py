"""One GL context for the windows of a test process, with its programs: software GL makes machine code for each context anew, which takes longer than all else
that a window begins with. A window gets it as if it were new: its objects are gone, and uniforms have their first values."""
from types import SimpleNamespace

import moderngl

from app.viewport import hosts
from render.gpu import context, programs

MOST = 60       # programs; each has code for every state that something was drawn in


class KeptContext:
    """`patch(monkeypatch)`: windows of this test take the context, where no other has it."""

    def __init__(self):
        self.ctx: moderngl.Context | None = None
        self._taken = self._leaving = False
        self._idle: dict[tuple, list[tuple[moderngl.Program, dict[str, bytes]]]] = {}     # programs that nobody has, with their first uniforms
        self._first: dict[int, dict[str, bytes]] = {}      # by glo

    def patch(self, monkeypatch) -> None:
        """Until the end of the test."""
        leave, compile_, release = hosts.ImageHost.leave, programs.Programs._compile, programs.Programs.release

        def left(host) -> None:
            mine, target = host._ctx is not None and host._ctx is self.ctx, host._target
            self._leaving = mine
            leave(host)
            self._leaving = False
            if mine and self.ctx is not None and target is not None:
                with context.use(self.ctx):
                    for part in (*target.color_attachments, target):
                        part.release()

        def compiled(owner, name, defines):
            key = name, tuple(sorted(defines.items()))
            if owner.ctx is not self.ctx:
                return compile_(owner, name, defines)
            if self._idle.get(key):
                program, first = self._idle[key].pop()
                for uniform, value in first.items():
                    program[uniform].write(value)
            else:
                program = compile_(owner, name, defines)
                first = {uniform: program[uniform].read() for uniform in program if isinstance(program[uniform], moderngl.Uniform)}
            self._first[program.glo] = first
            return program

        def released(owner) -> None:
            if owner.ctx is not self.ctx:
                release(owner)
                return
            for key, program in owner._compiled.items():
                self._idle.setdefault(key, []).append((program, self._first.pop(program.glo)))
            owner._compiled.clear()
            owner._used.clear()

        monkeypatch.setattr(hosts, "gl_context", SimpleNamespace(standalone=self.take, use=context.use, from_host=context.from_host))
        monkeypatch.setattr(hosts.ImageHost, "leave", left)
        monkeypatch.setattr(programs.Programs, "_compile", compiled)
        monkeypatch.setattr(programs.Programs, "release", released)

    def take(self) -> moderngl.Context:
        """The context, not current; another where somebody has it."""
        if self._taken:
            return context.standalone()
        if self.ctx is None:
            self.ctx = context.standalone()
            self.ctx.release = self._released
        self._taken = True
        return self.ctx

    def _released(self) -> None:
        """A window leaves it, or it is lost, or has too many programs."""
        self._taken = False
        if not self._leaving or sum(map(len, self._idle.values())) > MOST:
            ctx, self.ctx = self.ctx, None
            self._idle.clear()
            self._first.clear()
            del ctx.release
            ctx.release()
