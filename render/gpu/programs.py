"""Shader programs from files: includes, variants by #define, errors that name the file and line.

A program file holds `#section vertex` and `#section fragment`; `#include "lib/x.glsl"` pastes another file once.
`Programs.get('surface', SHADOW=1)` compiles a variant on first use and keeps it. Those of surfaces are without number, as lights, their shadow maps,
textures and switches are compiled into them, and a driver needs a megabyte or more for each: only the last that were used are kept.
"""
import re
from pathlib import Path
from types import MappingProxyType

import moderngl

SHADER_DIR = Path(__file__).resolve().parent.parent / 'shaders'
_UNIFORM_BLOCKS = (('View', 0), ('Lights', 1), ('Environment', 2))
TEXTURE_UNITS = (('image', 0), ('shadow_atlas', 1), ('mirror', 2), ('ids', 3), ('occlusion', 5), ('environment_map', 6), ('shadow_depth', 8),
                 ('rest', 10), ('held', 11), ('entry', 12), ('corner', 13), ('bone', 14), ('place', 15), ('source', 4), ('points', 3),
                 ('layer_normal', 9), ('layer_occlusion', 10), ('layer_roughness', 11), ('layer_metallic', 12), ('layer_emissive', 13), ('layer_opacity', 7))
CAPTURED = MappingProxyType({'skin_normal': ('moved_pos', 'moved_normal')})     # outputs of programs without a fragment section
VARIED = ('surface', 'speck')   # programs with a variant for each combination of what is seen; instances.py alone draws with them
MOST_VARIANTS = 18      # of these that are kept though pictures of late do without them: a model's fine and coarse pictures have up to 13
LATE = 60               # pictures
_ERROR_LINE = re.compile(r'\b0[:(](\d+)\)?')


class ShaderError(RuntimeError):
    """A shader that does not compile or include; the message names file and line."""


def expand(name: str, root: Path = SHADER_DIR):
    """{'vertex': (text, places), 'fragment': ...}: source per stage with includes pasted; places[i] = (file, line) of line i."""
    stages = {}
    _paste(f'{name}.glsl', root, stages, {}, None, 0)
    return {k: ('\n'.join(lines), tuple(places)) for k, (lines, places) in stages.items()}


def _paste(file: str, root: Path, stages: dict, seen: dict, stage: str | None, depth: int) -> str | None:
    """Add a file's lines to its stages; the stage that it ends in. seen: files pasted into each stage; stage: the one that it begins in."""
    path = root / file
    if depth > 8:
        raise ShaderError(f'{file}: includes nested too deeply')
    if not path.is_file():
        raise ShaderError(f'{file}: no such shader file')
    for number, line in enumerate(path.read_text().splitlines(), 1):
        section = re.match(r'\s*#section\s+(\w+)', line)
        include = re.match(r'\s*#include\s+"([^"]+)"', line)
        if section:
            stage = section[1]
            stages.setdefault(stage, ([], []))
            seen[stage] = set()
        elif include:
            if include[1] not in seen[stage]:
                seen[stage].add(include[1])
                stage = _paste(include[1], root, stages, seen, stage, depth + 1)
        elif stage is not None:
            stages[stage][0].append(line)
            stages[stage][1].append((file, number))
    return stage


def _locate(message: str, stages, head_lines: int) -> str:
    """Replace line numbers of the driver's message by file:line."""
    kind = 'fragment' if 'fragment' in message.lower() else 'vertex'
    places = stages[kind][1]

    def named(match):
        k = int(match[1]) - 1 - head_lines
        return f'{places[k][0]}:{places[k][1]}' if 0 <= k < len(places) else match[0]

    return _ERROR_LINE.sub(named, message)


class Programs:
    """All shader programs of one context."""

    def __init__(self, ctx: moderngl.Context):
        self.ctx = ctx
        self._compiled = {}
        self._picture = 0       # number of the present one
        self._used = {}         # when each variant of VARIED was last asked for, the one that was so longest ago first

    def __len__(self):
        return len(self._compiled)

    def next_picture(self) -> list[moderngl.Program]:
        """Begin a picture: the variants that are to be freed, which are forgotten here: those used longest ago where there are too many, none that
        was used of late. Who draws with them forgets them too, then releases them."""
        self._picture += 1
        gone = []
        while len(self._used) > MOST_VARIANTS:
            key, when = next(iter(self._used.items()))
            if when > self._picture - LATE:
                break
            del self._used[key]
            gone.append(self._compiled.pop(key))
        return gone

    def get(self, name: str, **defines) -> moderngl.Program:
        """The variant of a program. Raises ShaderError with file:line."""
        key = (name, tuple(sorted(defines.items())))
        if key not in self._compiled:
            self._compiled[key] = self._compile(name, defines)
        if name in VARIED:
            self._used.pop(key, None)       # to the end
            self._used[key] = self._picture
        return self._compiled[key]

    def _compile(self, name, defines):
        stages = expand(name)
        head = ['#version 330 core'] + [f'#define {k} {v}' for k, v in sorted(defines.items())]
        source = {k: '\n'.join([*head, text]) for k, (text, _) in stages.items()}
        try:
            program = self.ctx.program(vertex_shader=source['vertex'], fragment_shader=source.get('fragment'), varyings=CAPTURED.get(name, ()))
        except moderngl.Error as error:
            raise ShaderError(f'{name} {defines}: {_locate(str(error), stages, len(head))}') from None
        for block, binding in _UNIFORM_BLOCKS:
            if block in program:
                program[block].binding = binding
        for sampler, unit in TEXTURE_UNITS:
            if sampler in program:
                program[sampler].value = unit
        return program

    def release(self):
        """Free all programs."""
        for program in self._compiled.values():
            program.release()
        self._compiled.clear()
        self._used.clear()
