// From a headset's axes (x right, y up, z back) to the model's (x forward, y left, z up) and back, where the model stands in the room, and the frames that arrive.

import { about, fromPose, inverseRigid, multiply, quatMultiply, rotate } from './matrix.js';

export const POSES = 1, PICTURE = 2, GEOMETRY = 3;
export const LAMPS = ['disarmed', 'armed', 'holding', 'lost'];

export const positionFromXR = (p) => [-p.z, -p.x, p.y];
export const quaternionFromXR = (q) => [q.w, -q.z, -q.x, q.y];

// Columns: where the model's x, y and z point in a headset's axes.
const TO_XR = new Float32Array([0, 0, -1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);

// Where the room stands in the model: turned by yaw [radian] about z, then moved [m]. What devices tell is told in the model's own coordinates, so that a hand
// is where it is seen, however the room is turned.
export class Placement {
  constructor(yaw = 0, offset = [0, 0, 0]) { this.yaw = yaw; this.offset = offset; }

  // At the model's first sight: in front of it, so far that it is seen whole; room: where the head is in the room (model axes).
  static before(center, extent, head = [0, 0, 1.6]) {
    const away = Math.min(Math.max(1.2 * extent, 0.6), 4);
    return new Placement(0, [center[0] - away - head[0], center[1] - head[1], 0]);
  }

  position(p) { const r = rotate(about([0, 0, 1], this.yaw), p); return [r[0] + this.offset[0], r[1] + this.offset[1], r[2] + this.offset[2]]; }

  quaternion(q) { return quatMultiply(about([0, 0, 1], this.yaw), q); }

  // Model coordinates to a headset's.
  matrix() { return multiply(TO_XR, inverseRigid(fromPose(this.offset, about([0, 0, 1], this.yaw)))); }

  // Turn the room about where the head is in it, so that one looks at the model from another side.
  turned(angle, head) {
    const before = this.position(head), after = new Placement(this.yaw + angle, this.offset), now = after.position(head);
    after.offset = [after.offset[0] + before[0] - now[0], after.offset[1] + before[1] - now[1], after.offset[2]];
    return after;
  }

  moved(by) { return new Placement(this.yaw, this.offset.map((x, i) => x + by[i])); }
}

// What both hands have made of the scene: scene = s Rz(yaw) p + pos for p in the room's placement (model coordinates). A hand at p acts there, and is drawn there.
export class SceneFrame {
  constructor(scale = 1, yaw = 0, pos = [0, 0, 0]) { this.scale = scale; this.yaw = yaw; this.pos = pos; }

  position(p) { const r = rotate(about([0, 0, 1], this.yaw), p); return r.map((x, i) => this.scale * x + this.pos[i]); }

  quaternion(q) { return quatMultiply(about([0, 0, 1], this.yaw), q); }

  // The scene as it is seen: from its coordinates back to those of the placement.
  inverse() {
    const out = inverseRigid(fromPose(this.pos, about([0, 0, 1], this.yaw)));
    for (let i = 0; i < 16; i++) if (i % 4 < 3) out[i] /= this.scale;
    return out;
  }

  // What is drawn of a hand (devices.js), which keeps its place and size in the room.
  mark(mark) { return { ...mark, p: this.position(mark.p), q: this.quaternion(mark.q), size: mark.size.map((x) => x * this.scale) }; }
}

export function readFrame(buffer) {
  const head = new DataView(buffer), kind = head.getUint32(0, true);
  if (kind === POSES) {
    const n = head.getUint32(8, true);
    return { kind, generation: head.getUint32(4, true), lamp: LAMPS[head.getUint32(12, true)] || 'disarmed', step: head.getFloat64(16, true), time: head.getFloat64(24, true),
             seq: head.getFloat64(32, true), poses: new Float32Array(buffer, 40, 7 * n) };
  }
  if (kind === PICTURE) return { kind, number: head.getUint32(4, true), camera: head.getUint32(8, true), jpeg: new Uint8Array(buffer, 16) };
  if (kind === GEOMETRY) return { kind, generation: head.getUint32(4, true), packed: new Uint8Array(buffer, 16) };
  return { kind: 0 };
}
