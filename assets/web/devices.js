// What a headset knows of hands, controllers and head in one frame, as messages in the model's coordinates.

import { positionFromXR, quaternionFromXR } from './frames.js';

// Buttons of WebXR's "xr-standard" gamepads, in their order; null: there is none.
const BUTTONS = { left: ['trigger', 'squeeze', 'touchpad', 'stick', 'x', 'y'], right: ['trigger', 'squeeze', 'touchpad', 'stick', 'a', 'b'], none: ['trigger', 'squeeze', 'touchpad', 'stick', 'a', 'b'] };
const FORGOTTEN = { p: undefined, q: undefined };

export const HANDS_HERTZ = 72, HEAD_HERTZ = 20;   // two hands and a head stay below 200 messages a second

function posed(transform, placement) {
  return { p: placement.position(positionFromXR(transform.position)), q: placement.quaternion(quaternionFromXR(transform.orientation)) };
}

const rounded = (values, digits = 1e5) => values.map((x) => Math.round(x * digits) / digits);

// Axes and buttons of a controller. Sticks: x to the right, y forward.
export function controls(gamepad, side) {
  const axes = {}, buttons = {};
  if (gamepad) {
    gamepad.buttons.forEach((button, i) => {
      const name = BUTTONS[side][i];
      if (!name) return;
      buttons[name] = button.pressed;
      if (i < 2) axes[name] = button.value;
    });
    const [, , x, y] = gamepad.axes;
    if (x !== undefined && y !== undefined) { axes.stickx = x; axes.sticky = -y; }
  }
  return { axes, buttons };
}

// 25 joints (position, orientation) with radii, or null where the hand is not seen.
export function handJoints(frame, hand, reference, placement) {
  const joints = [], radii = [];
  for (const space of hand.values()) {
    const pose = frame.getJointPose(space, reference);
    if (!pose) return null;
    const { p, q } = posed(pose.transform, placement);
    joints.push(rounded([...p, ...q]));
    radii.push(Math.min(pose.radius || 0.008, 0.1));
  }
  return joints.length === 25 ? { joints, radii: rounded(radii, 1e4) } : null;
}

// [{name, hertz, kind, body, source}] of this frame. held: buttons of a screen that is touched (phones).
export function readDevices(frame, reference, session, placement, held = {}) {
  const found = [];
  let tracked = false;
  for (const source of session.inputSources) {
    const side = source.handedness === 'left' || source.handedness === 'right' ? source.handedness : 'none';
    if (source.hand) {
      const joints = side !== 'none' && handJoints(frame, source.hand, reference, placement);
      tracked = true;
      if (joints) found.push({ name: side, hertz: HANDS_HERTZ, kind: 'hand', body: { side, ...joints }, source });
      else found.push({ name: side, hertz: HANDS_HERTZ, kind: 'pose', body: { source: side, tracked: false }, source });
    } else if (source.gripSpace) {
      const pose = frame.getPose(source.gripSpace, reference);
      tracked = true;
      const where = pose ? posed(pose.transform, placement) : FORGOTTEN;
      found.push({ name: side, hertz: HANDS_HERTZ, kind: 'pose', source,
                   body: { source: side === 'none' ? 'right' : side, ...where, ...controls(source.gamepad, side), tracked: Boolean(pose) && !pose.emulatedPosition } });
    }
  }
  const viewer = frame.getViewerPose(reference);
  if (viewer) {
    const where = posed(viewer.transform, placement), phone = !tracked && session.environmentBlendMode === 'alpha-blend' && held.phone;
    // a phone that looks through its camera is itself what is moved
    if (phone) found.push({ name: 'phone', hertz: HANDS_HERTZ, kind: 'pose', body: { source: 'phone', ...where, axes: held.axes || {}, buttons: held.buttons || {} } });
    else found.push({ name: 'head', hertz: HEAD_HERTZ, kind: 'pose', body: { source: 'head', ...where } });
  }
  return { found, viewer };
}

// A pulse at a controller; hands have none and are told by colour.
export function pulse(session, side, strength, milliseconds) {
  for (const source of session.inputSources) {
    if (side && source.handedness !== side) continue;
    const actuator = source.gamepad && source.gamepad.hapticActuators && source.gamepad.hapticActuators[0];
    if (actuator && actuator.pulse) actuator.pulse(strength, milliseconds);
  }
}

// What of the devices is drawn: joints as balls, controllers as a box.
export function marksOf(found, touch = {}) {
  const marks = [];
  for (const { kind, body } of found) {
    if (kind === 'hand') {
      body.joints.forEach((joint, i) => {
        const tip = i > 0 && i % 5 === 4, warm = tip ? touch[body.side] || 0 : 0, r = body.radii[i];
        marks.push({ box: false, p: joint.slice(0, 3), q: joint.slice(3), size: [r, r, r], rgba: [0.75 + 0.25 * warm, 0.72 * (1 - warm), 0.7 * (1 - warm), 1] });
      });
    } else if (body.p && body.source !== 'head' && body.source !== 'phone') {
      marks.push({ box: true, p: body.p, q: body.q, size: [0.06, 0.018, 0.018], rgba: [0.3, 0.32, 0.35, 1] });
    }
  }
  return marks;
}
