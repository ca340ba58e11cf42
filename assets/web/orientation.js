// Sticks of a touch screen, and how a phone is held, in the model's axes.

import { about, quatMultiply } from './matrix.js';

// Device orientation (degrees: about z, then x, then y; x right, y to the top of the screen, z out of it; x east, y north) as a turn with x forward, y left, z up.
export function heldTurn(alpha, beta, gamma) {
  const radian = Math.PI / 180;
  const [w, x, y, z] = quatMultiply(quatMultiply(about([0, 0, 1], alpha * radian), about([1, 0, 0], beta * radian)), about([0, 1, 0], gamma * radian));
  return [w, y, -x, z];
}

// Where a stick is pulled to, -1 to 1, x to the right and y up; nothing near its middle.
export function stick(dx, dy, radius, dead = 0.12) {
  const length = Math.hypot(dx, dy) / radius;
  if (length <= dead) return [0, 0];
  const much = Math.min((length - dead) / (1 - dead), 1) / length / radius;
  return [dx * much, -dy * much];
}
