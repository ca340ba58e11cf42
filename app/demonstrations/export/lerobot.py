"""LeRobot's data sets, versions 3.0 and 2.1: a folder of tables (Parquet), films (MP4) and what is said of both (JSON).

    version 3.0                                                version 2.1
    meta/info.json, stats.json, tasks.parquet                  meta/info.json, stats.json, tasks.jsonl
    meta/episodes/chunk-000/file-000.parquet                   meta/episodes.jsonl, episodes_stats.jsonl
    data/chunk-000/file-000.parquet       many episodes        data/chunk-000/episode_000000.parquet            one each
    videos/KEY/chunk-000/file-000.mp4                          videos/chunk-000/KEY/episode_000000.mp4

A row of a table is a state and the action that follows it; the state that follows the last action is none.
"""
from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import numpy as np

from app.demonstrations.export import statistics
from app.demonstrations.export.plan import EpisodeArrays, ExportError, ExportPlan
from app.demonstrations.export.robomimic import MODES, key_of
from app.film.writers import video

CHUNK = 1000            # files in a folder; of version 2.1 episodes
DATA_MB, VIDEO_MB = 100, 200
BYTES_PER_PIXEL = 0.1   # of a film: more than they have
OPTIONS = MappingProxyType({"g": "2", "bf": "0"})       # every second picture can be read without those before it
STATE, ACTION, DRIVER = "observation.state", "action", "driver"
WHOLE = ("frame_index", "episode_index", "index", "task_index")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie. each: a file for each episode; else files are filled."""

    version: str
    data: str
    video: str
    each: bool


V3 = Layout("v3.0", "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet", "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4", False)
V21 = Layout("v2.1", "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet", "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4", True)


class _Place:
    """The file that the next episode goes into."""

    def __init__(self, each: bool):
        self._each, self.number, self.rows = each, 0, 0

    @property
    def at(self) -> tuple[int, int]:
        """(chunk, file); of version 2.1 (chunk, episode)."""
        return (self.number // CHUNK, self.number) if self._each else (self.number // CHUNK, self.number % CHUNK)

    def add(self, rows: int, most: float) -> bool:
        """So many rows (pictures) were added to the present file; whether it is full."""
        self.rows += rows
        if not self._each and self.rows < most:
            return False
        self.number, self.rows = self.number + 1, 0
        return True


class LeRobotWriter:
    """Writes into a folder. cautious: only what both versions can have. pq, pa: pyarrow."""

    def __init__(self, folder: Path, plan: ExportPlan, layout: Layout, drivers: bool):
        self._folder, self._plan, self._layout, self._drivers = folder, plan, layout, drivers
        self._data, self._film = _Place(layout.each), _Place(layout.each)
        self._tables: list = []         # of the present data file
        self._open: dict[str, tuple] = {}       # camera: (context of the film, write)
        self._episodes: list[dict] = []
        self._tasks: dict[str, int] = {}
        self._columns: dict[str, list[np.ndarray]] = {}
        self._pictures = {camera: statistics.Pictures() for camera in plan.cameras}
        self._mine: dict[str, statistics.Pictures] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._frames = self._n = 0
        self._model = ""

    # ------------------------------------------------ episode by episode

    def begin(self, n: int) -> None:
        """An episode of n actions."""
        self._n = n
        self._mine = {camera: statistics.Pictures() for camera in self._plan.cameras}

    def picture(self, camera: str, k: int, image: np.ndarray) -> None:
        """Of state k."""
        if k >= self._n:
            return
        if camera not in self._open:
            path = self._folder / _filled(self._layout.video, *self._film.at, video_key(camera))
            path.parent.mkdir(parents=True, exist_ok=True)
            context = video(path, self._plan.size, Fraction(self._plan.rate).limit_denominator(1000), more=OPTIONS)
            self._open[camera] = context, context.__enter__()
        self._open[camera][1](image)
        self._mine[camera].add(image)

    def end(self, arrays: EpisodeArrays) -> None:
        """All else of it."""
        n, number = len(arrays), len(self._episodes)
        task = self._tasks.setdefault(arrays.task, len(self._tasks))
        state = np.concatenate([values[:-1] for values in arrays.observed.values()], axis=1) if arrays.observed else np.zeros((n, 0))
        columns = {
            STATE: state.astype(np.float32), ACTION: arrays.actions.astype(np.float32), "timestamp": (np.arange(n) / self._plan.rate).astype(np.float32),
            "frame_index": np.arange(n), "episode_index": np.full(n, number), "index": self._frames + np.arange(n), "task_index": np.full(n, task)}
        if self._drivers:
            columns[DRIVER] = np.array([MODES.get(who, 2) for who in arrays.drivers])
        self._names = {STATE: sum((arrays.names[text] for text in arrays.observed), ()), ACTION: arrays.names["action"]}
        self._model = arrays.model
        stats = {name: statistics.of_numbers(values) for name, values in columns.items()}
        stats.update((video_key(camera), pictures.told()) for camera, pictures in self._mine.items())
        for name, values in columns.items():
            self._columns.setdefault(name, []).append(values)
        for camera, pictures in self._mine.items():
            self._pictures[camera].merge(pictures)
        self._episodes.append(self._row(arrays.task, number, n, stats))
        self._tables.append(_table(columns))
        self._frames += n
        if self._data.add(n, DATA_MB * 1e6 / (4 * (state.shape[1] + arrays.actions.shape[1]) + 44)):
            self._write_data(self._data.number - 1)
        if self._film.add(n, VIDEO_MB * 1e6 / (BYTES_PER_PIXEL * self._plan.size[0] * self._plan.size[1])):
            self._close_films()

    def _row(self, task: str, number: int, n: int, stats: dict) -> dict:
        """What is said of an episode."""
        (chunk, file), (film_chunk, film_file) = self._data.at, self._film.at
        row = {"episode_index": number, "tasks": [task], "length": n, "data/chunk_index": chunk, "data/file_index": file, "dataset_from_index": self._frames,
               "dataset_to_index": self._frames + n, "meta/episodes/chunk_index": 0, "meta/episodes/file_index": 0}
        for camera in self._plan.cameras:
            key, before = f"videos/{video_key(camera)}", self._film.rows
            row.update({f"{key}/chunk_index": film_chunk, f"{key}/file_index": film_file, f"{key}/from_timestamp": before / self._plan.rate,
                        f"{key}/to_timestamp": (before + n) / self._plan.rate})
        row["stats"] = stats
        return row

    def _write_data(self, number: int) -> None:
        """The tables so far, as a file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._tables:
            at = (number // CHUNK, number if self._layout.each else number % CHUNK)
            path = self._folder / _filled(self._layout.data, *at)
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.concat_tables(self._tables), path)
            self._tables = []

    def _close_films(self) -> None:
        opened, self._open = self._open, {}
        for context, _write in opened.values():
            context.__exit__(None, None, None)

    def give_up(self, why: BaseException) -> None:
        """Nothing comes of it: close what is open."""
        opened, self._open = self._open, {}
        for context, _write in opened.values():
            try:
                context.__exit__(type(why), why, why.__traceback__)
            except BaseException:   # the first error is the one to tell
                continue

    # ------------------------------------------------ in the end

    def close(self) -> dict:
        """No more of them."""
        self._write_data(self._data.number)
        self._close_films()
        meta = self._folder / "meta"
        meta.mkdir(exist_ok=True)
        _json(meta / "info.json", self._info())
        stats = {name: statistics.of_numbers(np.concatenate(parts)) for name, parts in self._columns.items()}
        _json(meta / "stats.json", {**stats, **{video_key(camera): pictures.told() for camera, pictures in self._pictures.items()}})
        META[self._layout.version](self, meta)
        return {"episodes": len(self._episodes), "frames": self._frames}

    def _info(self) -> dict:
        plan, layout, count = self._plan, self._layout, len(self._episodes)
        rate = int(plan.rate) if float(plan.rate).is_integer() else plan.rate
        info = {"codebase_version": layout.version, "robot_type": self._model, "total_episodes": count, "total_frames": self._frames, "total_tasks": len(self._tasks),
                "chunks_size": CHUNK, "fps": rate, "splits": {"train": f"0:{count}"}, "data_path": layout.data,
                "video_path": layout.video if plan.cameras else None, "features": self._features(rate)}
        if layout.each:
            return {**info, "total_videos": count * len(plan.cameras), "total_chunks": (count + CHUNK - 1) // CHUNK}
        return {**info, "data_files_size_in_mb": DATA_MB, "video_files_size_in_mb": VIDEO_MB}

    def _features(self, rate) -> dict:
        width, height = self._plan.size
        found: dict[str, dict] = {name: {"dtype": "float32", "shape": [len(names)], "names": list(names)} for name, names in self._names.items()}
        for camera in self._plan.cameras:
            found[video_key(camera)] = {"dtype": "video", "shape": [height, width, 3], "names": ["height", "width", "channels"], "info": {
                "video.height": height, "video.width": width, "video.codec": "h264", "video.pix_fmt": "yuv420p", "video.is_depth_map": False, "video.fps": rate,
                "video.channels": 3, "has_audio": False}}
        found["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
        found.update((name, {"dtype": "int64", "shape": [1], "names": None}) for name in (*WHOLE, *((DRIVER,) if self._drivers else ())))
        return found

    def meta_3(self, meta: Path) -> None:
        """Episodes and tasks of version 3.0."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        folder = meta / "episodes" / "chunk-000"
        folder.mkdir(parents=True)
        rows = []
        for row in self._episodes:
            flat = {name: value for name, value in row.items() if name != "stats"}
            flat.update((f"stats/{feature}/{name}", value) for feature, stats in row["stats"].items() for name, value in stats.items())
            rows.append(flat)
        pq.write_table(pa.Table.from_pylist(rows), folder / "file-000.parquet")
        tasks = pa.table({"task_index": pa.array(list(self._tasks.values()), pa.int64()), "task": pa.array(list(self._tasks), pa.string())})
        pq.write_table(tasks.replace_schema_metadata({"pandas": json.dumps(task_index_of_pandas(pa.__version__))}), meta / "tasks.parquet")

    def meta_21(self, meta: Path) -> None:
        """Episodes and tasks of version 2.1."""
        _lines(meta / "episodes.jsonl", ({name: row[name] for name in ("episode_index", "tasks", "length")} for row in self._episodes))
        _lines(meta / "episodes_stats.jsonl", ({"episode_index": row["episode_index"], "stats": row["stats"]} for row in self._episodes))
        _lines(meta / "tasks.jsonl", ({"task_index": number, "task": task} for task, number in self._tasks.items()))


META = MappingProxyType({V3.version: LeRobotWriter.meta_3, V21.version: LeRobotWriter.meta_21})


@contextmanager
def lerobot_writer(path: Path, plan: ExportPlan, drivers: bool = False, layout: Layout = V3) -> Iterator[LeRobotWriter]:
    """A folder that is there when all of it is. drivers: a column that tells who drove. Raises ExportError where the folder is there already or pyarrow is missing, OSError."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as why:
        raise ExportError(f'LeRobot\'s data sets need the package pyarrow: pip install "linkwork[demo]" ({why})') from None
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ExportError(f"{path} is there already")
    temporary = unfinished(path, os.getpid())
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    writer = LeRobotWriter(temporary, plan, layout, drivers)
    try:
        yield writer
        if path.is_dir():
            path.rmdir()
        temporary.rename(path)
    except BaseException as why:
        writer.give_up(why)
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def unfinished(path: Path, pid: int) -> Path:
    """The folder beside a data set that a process fills, which then takes its name."""
    return path.with_name(f".{path.name}.{pid}.tmp")


def video_key(camera: str) -> str:
    """The feature of a camera."""
    return f"observation.images.{key_of(camera)}"


def _filled(template: str, chunk: int, file: int, key: str = "") -> str:
    return template.format(chunk_index=chunk, file_index=file, episode_chunk=chunk, episode_index=file, video_key=key)


def _table(columns: dict[str, np.ndarray]):
    """Columns (n,) or (n, numbers) as a table of Arrow."""
    import pyarrow as pa

    found = {}
    for name, values in columns.items():
        flat = pa.array(np.ascontiguousarray(values).reshape(-1))
        found[name] = pa.FixedSizeListArray.from_arrays(flat, values.shape[1]) if values.ndim == 2 else flat
    return pa.table(found)


def _json(path: Path, told: dict) -> None:
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _lines(path: Path, rows) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def task_index_of_pandas(version: str) -> dict:
    """What pandas writes beside a table whose index is the column 'task': LeRobot reads the table by it."""
    return {"index_columns": ["task"], "column_indexes": [{"name": None, "field_name": None, "pandas_type": "unicode", "numpy_type": "object", "metadata": {"encoding": "UTF-8"}}],
            "columns": [{"name": "task_index", "field_name": "task_index", "pandas_type": "int64", "numpy_type": "int64", "metadata": None},
                        {"name": "task", "field_name": "task", "pandas_type": "unicode", "numpy_type": "object", "metadata": None}],
            "creator": {"library": "pyarrow", "version": version}, "pandas_version": "2.2.3"}
