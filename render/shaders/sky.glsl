// cube map on a cylinder around the eye; its sides stand nearer than the far plane and hide what lies beyond
#section vertex
#include "lib/view.glsl"
in vec3 a_pos; uniform float distance; out vec3 v_ray;
void main() { v_ray = a_pos; gl_Position = viewproj * vec4(eye.xyz + distance * a_pos, 1); }
#section fragment
#include "lib/view.glsl"
in vec3 v_ray; uniform samplerCube image; out vec4 f_color;
void main() { f_color = vec4(with_fog(texture(image, vec3(v_ray.x, v_ray.z, -v_ray.y)).rgb, 0.7 * fog_range.z), 1); }
