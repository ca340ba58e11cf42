// one point per vertex of a skin: its normal from the moved triangles around it, weighted by their areas, and its inflated place
#section vertex
#include "lib/table.glsl"
uniform sampler2D held; uniform sampler2D corner; uniform sampler2D place; uniform float inflate;
out vec3 moved_pos; out vec3 moved_normal;
void main() {
    vec3 p = texelFetch(place, cell(gl_VertexID), 0).xyz, sum = vec3(0);
    ivec2 span = ivec2(texelFetch(held, cell(gl_VertexID), 0).zw);
    for (int k = span.x; k < span.x + span.y; k++) {
        vec2 c = texelFetch(corner, cell(k), 0).xy;
        sum += cross(texelFetch(place, cell(int(c.x)), 0).xyz - p, texelFetch(place, cell(int(c.y)), 0).xyz - p);
    }
    float area = length(sum);
    moved_normal = area > 0.0 ? sum / area : vec3(0);
    moved_pos = p + inflate * moved_normal;
    gl_Position = vec4(0);
}
