// Matrices (16 numbers, columns one after the other, as WebGL has them) and quaternions [w, x, y, z].

export function multiply(a, b, out = new Float32Array(16)) {
  for (let column = 0; column < 4; column++) {
    const x = b[4 * column], y = b[4 * column + 1], z = b[4 * column + 2], w = b[4 * column + 3];
    for (let row = 0; row < 4; row++) out[4 * column + row] = a[row] * x + a[4 + row] * y + a[8 + row] * z + a[12 + row] * w;
  }
  return out;
}

// The inverse of a rotation with a translation.
export function inverseRigid(m) {
  const out = new Float32Array(16);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) out[4 * i + j] = m[4 * j + i];
  for (let i = 0; i < 3; i++) out[12 + i] = -(m[4 * i] * m[12] + m[4 * i + 1] * m[13] + m[4 * i + 2] * m[14]);
  out[15] = 1;
  return out;
}

export function fromPose(p, q, out = new Float32Array(16)) {
  const [w, x, y, z] = q;
  out[0] = 1 - 2 * (y * y + z * z); out[1] = 2 * (x * y + w * z); out[2] = 2 * (x * z - w * y); out[3] = 0;
  out[4] = 2 * (x * y - w * z); out[5] = 1 - 2 * (x * x + z * z); out[6] = 2 * (y * z + w * x); out[7] = 0;
  out[8] = 2 * (x * z + w * y); out[9] = 2 * (y * z - w * x); out[10] = 1 - 2 * (x * x + y * y); out[11] = 0;
  out[12] = p[0]; out[13] = p[1]; out[14] = p[2]; out[15] = 1;
  return out;
}

// A perspective without a headset: fovy [radian], aspect = width / height.
export function perspective(fovy, aspect, near, far) {
  const f = 1 / Math.tan(fovy / 2), out = new Float32Array(16);
  out[0] = f / aspect; out[5] = f; out[10] = (far + near) / (near - far); out[11] = -1; out[14] = 2 * far * near / (near - far);
  return out;
}

export function quatMultiply(a, b) {
  return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
}

export function rotate(q, v) {
  const [w, x, y, z] = q, tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function about(axis, angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}
