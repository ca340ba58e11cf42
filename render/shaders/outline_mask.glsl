// what is outlined, as a mask: mark.x is seen, mark.y is there at all
#section vertex
#include "lib/view.glsl"
#include "lib/instance.glsl"
void main() { gl_Position = clip_point(world_point()); }
#section fragment
uniform vec2 mark; out vec4 f_color;
void main() { f_color = vec4(mark, 0, 1); }
