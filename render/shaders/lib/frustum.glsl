// points from a picture of normals and depths, seen from the eye: the near plane's corner and sides, or the whole view's if it is orthographic
uniform sampler2D points; uniform vec3 first_corner; uniform vec3 across; uniform vec3 upward; uniform vec3 ahead; uniform float parallel;
vec3 point_at(vec2 at, float depth) {
    vec3 p = first_corner + at.x * across + at.y * upward;
    return parallel > 0.5 ? p + ahead * (depth - dot(p, ahead)) : p * (depth / dot(p, ahead));
}
