// the glow as it is laid over a finished picture
#section vertex
out vec2 v_at;
void main() {
    v_at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_at * 2.0 - 1.0, 0, 1);
}
#section fragment
#include "lib/colour.glsl"
in vec2 v_at; uniform sampler2D source;
out vec4 f_color;
void main() { f_color = vec4(display_of(shown(textureLod(source, v_at, 0.0).rgb)), 1); }
