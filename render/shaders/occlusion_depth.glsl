// normals and depths for ambient occlusion; decor hides no light
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
out vec3 v_normal; out float v_depth;
void main() {
    vec3 world = world_point();
    v_normal = (a_normal / max(i_scale.xyz, vec3(1e-9))) * i_rot;
    v_depth = eye_depth(world);
    gl_Position = i_surface.y < 0.0 ? vec4(2, 2, 2, 1) : viewproj * vec4(world, 1);
}
#section fragment
in vec3 v_normal; in float v_depth; out vec4 f_point;
void main() { f_point = vec4(normalize(v_normal), v_depth); }
