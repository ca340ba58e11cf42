"""Which files of tests take long: parallel workers begin with them, so that all end at about the same time. A file that is not here takes as long as it has tests."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import MappingProxyType

EACH = 0.05     # s that a test takes
SECONDS = MappingProxyType({
    "tests/goldens/test_goldens.py": 30,
    "tests/app/test_text_road.py": 19,
    "tests/oracle/test_poses.py": 19,
    "tests/app/panels/diagnostics/test_divergence.py": 18,
    "tests/verification/test_extreme_sizes.py": 18,
    "tests/app/panels/servos/test_servos.py": 17,
    "tests/journeys/test_broken_text.py": 17,
    "tests/physics/kernels/test_cache.py": 17,
    "tests/editor/structure/test_composite.py": 16,
    "tests/app/bridge/test_decor.py": 15,
    "tests/app/test_markers.py": 15,
    "tests/editor/edits/test_element_patches.py": 15,
    "tests/editor/tuning/test_tuning_edits.py": 15,
    "tests/physics/engine/hard/test_against_naive.py": 15,
    "tests/physics/simulate/test_reach.py": 15,
    "tests/app/film/test_window.py": 13,
    "tests/app/recordings/test_journeys.py": 13,
    "tests/app/windows/test_playback.py": 13,
    "tests/oracle/test_wheels.py": 13,
    "tests/physics/model/test_lwb_fuzz.py": 13,
    "tests/physics/optimise/test_docs.py": 13,
    "tests/app/test_view_sizes.py": 12,
    "tests/app/test_windows.py": 12,
    "tests/app/windows/test_workspaces.py": 12,
    "tests/app/test_live_edits.py": 11,
    "tests/app/test_reloads.py": 11,
    "tests/app/viewport/test_pace.py": 11,
    "tests/oracle/test_agreement.py": 11,
    "tests/oracle/test_data_fields.py": 11,
    "tests/physics/optimise/test_ilqr.py": 11,
    "tests/render/test_physical.py": 11,
    "tests/app/film/test_process.py": 10,
    "tests/app/panels/diagnostics/test_advice.py": 10,
    "tests/app/test_lost_contexts.py": 10,
    "tests/app/test_unsaved_text.py": 10,
    "tests/oracle/test_integrators.py": 10,
    "tests/physics/engine/test_old_sides.py": 10,
    "tests/physics/kernels/test_staleness.py": 10,
    "tests/verification/test_fence.py": 10,
    "tests/app/panels/test_seen.py": 9,
    "tests/app/viewport/test_hover.py": 9,
    "tests/oracle/test_silhouettes.py": 9,
    "tests/physics/compiler/elements/test_sensors.py": 9,
    "tests/physics/kernels/test_shared_cache.py": 9,
    "tests/physics/model/test_written_numbers.py": 9,
    "tests/physics/pipeline/test_formulas.py": 9,
    "tests/render/passes/test_steps.py": 9,
    "tests/app/panels/test_models_let_go.py": 8,
    "tests/app/windows/test_timeline_axis.py": 8,
    "tests/editor/test_watcher.py": 8,
    "tests/oracle/test_distances.py": 8,
    "tests/physics/tuning/test_goals.py": 8,
    "tests/app/film/test_command.py": 7,
    "tests/app/panels/friction/test_friction_panel.py": 7,
    "tests/physics/compiler/texture/test_textures.py": 7,
    "tests/physics/engine/sensor/test_containment_distance.py": 7,
    "tests/physics/kernels/test_quick_numba.py": 7,
    "tests/physics/writer/test_models.py": 7,
    "tests/render/test_textures.py": 7,
    "tests/verification/test_contact_physics.py": 7,
    "tests/architecture/test_circles.py": 6,
    "tests/journeys/test_inspect_constraint.py": 6,
    "tests/journeys/test_inspect_solver.py": 6,
    "tests/physics/compiler/test_random_elements.py": 6,
    "tests/render/gpu/test_instances.py": 6,
    "tests/render/test_official.py": 6,
    "tests/journeys/test_servos.py": 5,
    "tests/naive/test_face_twins.py": 5,
    "tests/physics/compiler/test_fuzz.py": 5,
    "tests/physics/engine/test_random_actuators.py": 5,
    "tests/physics/optimise/test_search.py": 5,
    "tests/verification/test_corpus_scenes.py": 5,
    "tests/verification/test_determinism.py": 5,
    "tests/verification/test_rope.py": 5,
})


def ordered(items: Iterable) -> list:
    """Items of pytest file by file, in their order within each, the file first that takes longest."""
    items = list(items)
    files = [item.nodeid.split("::", 1)[0] for item in items]
    count = Counter(files)
    place = {file: k for k, file in enumerate(dict.fromkeys(files))}
    return [items[k] for k in sorted(range(len(items)), key=lambda k: (-SECONDS.get(files[k], EACH * count[files[k]]), place[files[k]]))]
