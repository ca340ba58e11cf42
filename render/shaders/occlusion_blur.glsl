// the mean over four by four pixels, which is the period of the pattern of rays, but for what lies at another depth
#section vertex
#include "lib/cover.glsl"
#section fragment
uniform sampler2D points;
out vec2 f_seen;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), most = textureSize(points, 0) - 1;
    vec2 here = texelFetch(points, at, 0).rg;
    float sum = 0.01 * here.r, weight = 0.01;
#if QUICK
    for (int x = -1; x < 2; x += 2) for (int y = -1; y < 2; y += 2) {       // between four pixels each
        vec2 t = textureLod(points, (vec2(at) + vec2(x, y)) / vec2(most + 1), 0.0).rg;
#else
    for (int x = -2; x < 2; x++) for (int y = -2; y < 2; y++) {
        vec2 t = texelFetch(points, clamp(at + ivec2(x, y), ivec2(0), most), 0).rg;
#endif
        float w = max(1.0 - 30.0 * abs(t.y - here.y) / here.y, 0.0);
        sum += w * t.x;
        weight += w;
    }
    f_seen = vec2(sum / weight, here.y);
}
