// band along the horizon of the first infinite plane
#section vertex
#include "lib/view.glsl"
in vec4 a_band; uniform mat4 placement; out float v_alpha;
void main() { v_alpha = a_band.w; gl_Position = viewproj * (placement * vec4(a_band.xyz, 1)); }
#section fragment
#include "lib/view.glsl"
in float v_alpha; uniform vec3 color; out vec4 f_color;
void main() { f_color = vec4(with_fog(color, 0.7 * fog_range.z), v_alpha); }
