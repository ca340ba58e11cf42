out vec2 v_at;      // from (0, 0) to (1, 1) in the picture
void main() {       // a triangle without vertices of its own that covers the picture (passes/screen.py)
    v_at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_at * 2.0 - 1.0, 0, 1);
}
