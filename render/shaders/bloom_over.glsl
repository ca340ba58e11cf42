// the glow as it is laid over a finished picture
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/colour.glsl"
in vec2 v_at; uniform sampler2D source;
out vec4 f_color;
void main() { f_color = vec4(display_of(shown(textureLod(source, v_at, 0.0).rgb)), 1); }
