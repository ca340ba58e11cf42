// cube map behind everything
#section vertex
#include "lib/view.glsl"
out vec3 v_ray;
void main() {
    vec2 p = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    gl_Position = vec4(p, 1, 1);
    vec4 far_point = unproject * vec4(p, 1, 1);
    v_ray = far_point.xyz / far_point.w;
}
#section fragment
#include "lib/view.glsl"
in vec3 v_ray; uniform samplerCube image; out vec4 f_color;
void main() {
    vec3 d = v_ray;
    f_color = vec4(with_fog(texture(image, vec3(d.x, d.z, -d.y)).rgb, 0.7 * fog_range.z), 1);
}
