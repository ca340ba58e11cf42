// one pixel per vertex of a skin: where its bones carry it
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/table.glsl"
uniform sampler2D rest; uniform sampler2D held; uniform sampler2D entry; uniform sampler2D bone;
out vec4 f_place;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 p = vec4(texelFetch(rest, at, 0).xyz, 1);
    ivec2 span = ivec2(texelFetch(held, at, 0).xy);
    vec3 sum = vec3(0);
    for (int k = span.x; k < span.x + span.y; k++) {
        vec2 e = texelFetch(entry, cell(k), 0).xy;
        int b = 3 * int(e.x);
        sum += e.y * vec3(dot(texelFetch(bone, cell(b), 0), p), dot(texelFetch(bone, cell(b + 1), 0), p), dot(texelFetch(bone, cell(b + 2), 0), p));
    }
    f_place = vec4(sum, 1);
}
