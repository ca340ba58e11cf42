// normals and depths for ambient occlusion; decor hides no light
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
out vec3 v_normal; out vec3 v_world;
void main() {
    v_world = world_point();
    v_normal = (a_normal / max(i_scale.xyz, vec3(1e-9))) * i_rot;
    gl_Position = i_surface.y < 0.0 ? vec4(2, 2, 2, 1) : clip_point(v_world);
    gl_ClipDistance[0] = dot(clip, vec4(v_world, 1));
}
#section fragment
#include "lib/view.glsl"
#include "lib/facet.glsl"
in vec3 v_normal; in vec3 v_world; out vec4 f_point;
void main() {
    vec3 view = eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - v_world);
    f_point = vec4(normal_at(v_normal, v_world, view), eye_depth(v_world));
}
