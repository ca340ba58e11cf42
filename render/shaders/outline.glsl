// a line around what a mask marks (outline_mask.glsl), laid over a finished picture: full beside what is seen, faint beside what is hidden
#section vertex
#include "lib/cover.glsl"
#section fragment
uniform sampler2D source;   // the mask, with mipmaps: x share that is seen, y share that is there
uniform ivec2 origin;       // pixel of the picture where the mask begins
uniform ivec2 extent;       // pixels of the mask that are in use
uniform vec4 ink;           // colour of the line
uniform float width;        // of the line [pixel]
const int BLOCK = 3;        // level whose texels are blocks of 8 x 8 pixels
const float RIM = 1.0;      // of the dark rim around the line [pixel]
const float RIM_ALPHA = 0.4, HIDDEN = 0.5, INSIDE = 0.13;
out vec4 f_color;

// share of the pixel that a line from the edge outwards covers; distance: from the pixel's centre to the edge
float cover(float distance, float wide) { return clamp(wide - distance + 0.5, 0.0, 1.0); }

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) - origin;
    int reach = int(ceil(width + RIM)) + 1;
    ivec2 low = max(at - reach, ivec2(0)) >> BLOCK, high = min(at + reach, extent - 1) >> BLOCK;
    float least = 1.0, most = 0.0;      // of the blocks around: most pixels are far from any edge
    for (int y = low.y; y <= high.y; y++)
        for (int x = low.x; x <= high.x; x++) {
            vec2 block = texelFetch(source, ivec2(x, y), BLOCK).xy;
            least = min(least, block.x);
            most = max(most, block.y);
        }
    if (most == 0.0 || least == 1.0) discard;
    vec2 here = texelFetch(source, at, 0).xy;
    float seen = 1e3, there = 1e3;      // distances to what is seen, to what is there
    if (here.y < 1.0)
        for (int dy = -reach; dy <= reach; dy++)
            for (int dx = -reach; dx <= reach; dx++) {
                ivec2 k = at + ivec2(dx, dy);
                if (any(lessThan(k, ivec2(0))) || any(greaterThanEqual(k, extent))) continue;
                vec2 share = texelFetch(source, k, 0).xy;
                float far = length(vec2(dx, dy)) + 0.5;
                if (share.x > 0.0) seen = min(seen, far - share.x);
                if (share.y > 0.0) there = min(there, far - share.y);
            }
    float strength = seen <= there + 0.75 ? 1.0 : HIDDEN;
    float line = strength * cover(there, width) * (1.0 - here.y);
    float rim = strength * RIM_ALPHA * cover(there, width + RIM) * (1.0 - here.y);
    float tint = INSIDE * max(here.y - here.x, 0.0);
    float alpha = max(max(line, tint), rim);
    if (alpha <= 0.0) discard;
    f_color = vec4(ink.rgb * clamp(max(line, tint) / alpha, 0.0, 1.0), alpha * ink.a);
}
