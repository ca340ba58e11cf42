// numbers of the id picture as the colours of a table 4096 texels wide
#section vertex
#include "lib/cover.glsl"
#section fragment
#include "lib/table.glsl"
uniform sampler2D ids; uniform sampler2D image; out vec4 f_color;
void main() {
    int number = int(texelFetch(ids, ivec2(gl_FragCoord.xy), 0).r + 0.5) - 1;
    f_color = number < 0 ? vec4(0, 0, 0, 1) : texelFetch(image, cell(number), 0);
}
