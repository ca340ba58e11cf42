// what is seen in a mirror as light, times how much of it there is, at a smaller size
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/colour.glsl"
uniform sampler2D mirror; uniform vec2 size;     // of a pixel here
uniform vec4 part;      // rectangle of the mirror picture that was drawn, 0..1: low, high
out vec4 f_light;
vec4 at(vec2 p) {
    vec4 c = textureLod(mirror, clamp(p, part.xy, part.zw), 0.0);
    return vec4(light_of(c.rgb / max(c.a, 1e-3)) * c.a, c.a);
}
void main() {
    vec2 p = gl_FragCoord.xy * size, step = 0.25 * size;
    f_light = 0.25 * (at(p + step) + at(p - step) + at(p + vec2(step.x, -step.y)) + at(p + vec2(-step.x, step.y)));
}
