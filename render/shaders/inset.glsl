// a picture pasted into the viewport
#section vertex
out vec2 v_at;
void main() {
    v_at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_at * 2.0 - 1.0, 0, 1);
}
#section fragment
uniform sampler2D image; in vec2 v_at; out vec4 f_color;
void main() { f_color = vec4(texture(image, v_at).rgb, 1); }
