// the depth buffer as grey, for the Depth switch
#section vertex
#include "lib/cover.glsl"
#section fragment
uniform sampler2D ids; uniform float unit; out vec4 f_color;
void main() {
    vec2 id = texelFetch(ids, ivec2(gl_FragCoord.xy), 0).rg;
    float z = id.x > 0.5 ? unit / (unit + id.y) : 0.0;
    f_color = vec4(vec3(clamp(z, 0.0, 1.0)), 1);
}
