"""ModelVisuals + Snapshot + VisOptions + ViewState -> Scene: the layers of a picture, in order.

    physics thread --Snapshot--> build_scene --Scene--> renderer
    window --VisOptions, ViewState-->

Each layer is one function that appends rows to the Scene; what the switches hide costs nothing. Layers work on whole
arrays. Source for sizes and colours: MuJoCo documentation, XML reference, visual (scale, map, rgba) and statistic.
"""
from __future__ import annotations

from app.bridge.labels import add_body_labels
from app.bridge.layers.actuators import add_actuators
from app.bridge.layers.bounding import add_body_tree, add_mesh_tree
from app.bridge.layers.cameras_lights import add_camera_decor, add_light_decor, add_lights
from app.bridge.layers.contacts import add_contacts
from app.bridge.layers.equality import add_equality
from app.bridge.layers.forces import add_forces
from app.bridge.layers.frames import add_frames
from app.bridge.layers.geoms import add_geoms, add_sites
from app.bridge.layers.ghosts import add_ghosts
from app.bridge.layers.hidden import hide
from app.bridge.layers.inertia import add_centres, add_inertia, add_skeleton
from app.bridge.layers.islands import add_island_labels
from app.bridge.layers.joints import add_joints
from app.bridge.layers.markers import add_markers
from app.bridge.layers.outline import add_outline
from app.bridge.layers.perturb import add_perturb, add_selection
from app.bridge.layers.rangefinders import add_rangefinders
from app.bridge.layers.skins import add_skins
from app.bridge.layers.slider_cranks import add_slider_cranks
from app.bridge.layers.tactile import add_tactile
from app.bridge.layers.tendons import add_tendons
from app.bridge.legend import add_shown_legend
from app.bridge.look import set_look
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.quantities.layer import add_quantities
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene

LAYERS = (add_geoms, add_sites, add_skins, add_tendons, add_slider_cranks, add_body_tree, add_mesh_tree, add_tactile, add_inertia, add_perturb, add_frames,
          add_selection, add_body_labels, add_joints, add_actuators, add_island_labels, add_camera_decor, add_light_decor, add_centres, add_skeleton,
          add_rangefinders, add_forces, add_equality, add_contacts, add_quantities, hide, add_outline,
          add_ghosts, add_markers, add_shown_legend)


def build_scene(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, out: Scene, state: ViewState | None = None) -> Scene:
    """Fill `out` with everything to draw for this moment; returns it. snapshot: a Snapshot of the Model of `visuals`; state: None where nothing is selected.

    A Model into which wrong whole numbers were written (Model.wrong_numbers) is not looked at: the last picture stays.
    """
    if visuals.model.wrong_numbers():
        return out
    state = state or ViewState()
    out.clear()
    visuals.refresh()
    set_look(visuals, options, out)
    add_lights(visuals, snapshot, out)
    for add in LAYERS:
        add(visuals, snapshot, options, state, out)
    return out
