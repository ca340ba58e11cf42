// depth only, for shadow maps
#section vertex
#include "lib/view.glsl"
in vec3 a_pos; in float a_cap; in vec3 i_pos; in mat3 i_rot; in vec4 i_scale;
void main() {
    vec3 p = a_pos * i_scale.xyz + vec3(0, 0, a_cap * i_scale.w);
    gl_Position = viewproj * vec4(p * i_rot + i_pos, 1);
}
#section fragment
void main() {}
