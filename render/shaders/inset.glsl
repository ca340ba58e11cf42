// a picture pasted into the viewport
#section vertex
#include "lib/cover.glsl"
#section fragment
uniform sampler2D image; in vec2 v_at; out vec4 f_color;
void main() { f_color = vec4(texture(image, v_at).rgb, 1); }
