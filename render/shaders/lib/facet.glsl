// the normal of a surface at a pixel; where none is given (zero) that of the triangle, turned as its vertices run;
// FLAT: given is one unit vector for the whole triangle
vec3 normal_at(vec3 given, vec3 world, vec3 toward_eye) {
#if defined(FLAT) && FLAT
    return given;
#else
    if (dot(given, given) > 0.0) return normalize(given);
    vec3 n = cross(dFdx(world), dFdy(world));
    n *= inversesqrt(max(dot(n, n), 1e-30));
    return (dot(n, toward_eye) < 0.0) == gl_FrontFacing ? -n : n;
#endif
}
