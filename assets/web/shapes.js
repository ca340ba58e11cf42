// Triangles of the shapes that models are made of, each of half size 1.

function rings(rows, slices) {
  // rows: [radius, z, normal outwards, normal upwards], turned about z
  const vertex = [], normal = [], face = [];
  for (const [radius, z, out, up] of rows) {
    for (let i = 0; i <= slices; i++) {
      const angle = 2 * Math.PI * i / slices, c = Math.cos(angle), s = Math.sin(angle);
      vertex.push(radius * c, radius * s, z);
      normal.push(out * c, out * s, up);
    }
  }
  for (let r = 0; r + 1 < rows.length; r++) {
    if (rows[r].last) continue;
    for (let i = 0; i < slices; i++) {
      const a = r * (slices + 1) + i, b = a + slices + 1;
      face.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return { vertex: new Float32Array(vertex), normal: new Float32Array(normal), face: new Uint32Array(face) };
}

const ended = (row) => Object.assign(row, { last: true });

export function sphere(slices = 24, stacks = 12) {
  const rows = [];
  for (let k = 0; k <= stacks; k++) {
    const angle = Math.PI * (k / stacks - 0.5), c = Math.cos(angle), s = Math.sin(angle);
    rows.push([c, s, c, s]);
  }
  return rings(rows, slices);
}

export const tube = (slices = 24) => rings([[1, -1, 1, 0], [1, 1, 1, 0]], slices);

export const cylinder = (slices = 24) => rings([[0, -1, 0, -1], ended([1, -1, 0, -1]), [1, -1, 1, 0], ended([1, 1, 1, 0]), [1, 1, 0, 1], [0, 1, 0, 1]], slices);

export function box() {
  const vertex = [], normal = [], face = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = vertex.length / 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = side; p[u] = a; p[v] = b; n[axis] = side;
        vertex.push(...p); normal.push(...n);
      }
      face.push(...(side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((i) => first + i));
    }
  }
  return { vertex: new Float32Array(vertex), normal: new Float32Array(normal), face: new Uint32Array(face) };
}

export const plane = () => ({ vertex: new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), normal: new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
                              face: new Uint32Array([0, 1, 2, 0, 2, 3]) });

export const SHAPES = { sphere, tube, cylinder, box, plane };
