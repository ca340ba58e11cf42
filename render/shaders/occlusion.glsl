// how much of the light from everywhere a point does not see, from what stands above its tangent plane nearby on the screen
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/frustum.glsl"
uniform vec2 reach;     // of what hides light [m]; of it on the screen at a depth of 1 m [heights of the picture]
out vec2 f_seen;
#define TURNS 7.0
#define NOTHING 1e8
void main() {
    vec2 side = vec2(textureSize(points, 0));
    vec4 here = texelFetch(points, ivec2(gl_FragCoord.xy), 0);
    if (here.w > NOTHING) { f_seen = vec2(1, 60000); return; }
    vec3 p = point_at(gl_FragCoord.xy / side, here.w), n = here.xyz;
    n = dot(n, p) > 0.0 && parallel < 0.5 ? -n : n;
    float wide = reach.y / (parallel > 0.5 ? 1.0 : here.w), most = 0.14, r = reach.x * min(1.0, most / wide);
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float turn = 6.2831853 * float((7 * (4 * cell.x + cell.y)) & 15) / 16.0;       // each of 16 once in four by four pixels: the mean over them has no pattern
    float r2 = r * r, sum = 0.0, lift = 0.04 * r + 2e-4 * here.w;
    for (int k = 0; k < TAPS; k++) {
        float far = (float(k) + 0.5) / float(TAPS), a = turn + 6.2831853 * TURNS * far;
        vec2 at = gl_FragCoord.xy + far * min(wide, most) * side.y * vec2(cos(a), sin(a));
        ivec2 pixel = ivec2(floor(at));
        if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(side)))) continue;
        vec3 v = point_at((vec2(pixel) + 0.5) / side, texelFetch(points, pixel, 0).w) - p;
        float d2 = dot(v, v), near = max(r2 - d2, 0.0) / r2;
        sum += near * near * max(dot(v, n) - lift, 0.0) / (d2 + 0.01 * r2) * r;
    }
    f_seen = vec2(clamp(1.0 - 3.4 * sum / float(TAPS), 0.0, 1.0), min(here.w, 60000.0));
}
