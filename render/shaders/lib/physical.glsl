// a light model by measured physics: GGX reflection over a matt ground, lights, environment and how much of it each point sees.
// Colours are light here; what is returned is a display colour. Rows of the physical look (passes/physical/pbr_material.py): surface.x reflectance straight
// on, above 0.08 a metal's; surface.y roughness, below 0 decor.
#include "lib/colour.glsl"
#include "lib/environment.glsl"
#define DULLEST_METAL 0.08
#define SMOOTHEST 0.05
#define MATT_SHEEN 0.8      // how much weaker the sheen at grazing angles is on rough things: far floors are no mirrors
#define IN_CREVICES 0.35    // how far occlusion dims lamps too: their shadows are too coarse for crevices
// ground: colour of the matt part; even: what light from everywhere makes of it and of what bounces between facets; gloss: part reflected at once
struct PbrMaterial { vec3 ground; vec3 even; vec3 gloss; vec3 f0; float f90; float more; float rough; float nv; float occlusion; float veil; };

#if GLOSSY
uniform sampler2D environment_map;
vec3 reflected(vec3 d, float rough) {
    float k = rough * float(STRIPES - 1), edge = 0.5 / environment.w;
    vec2 at = on_map(d);
    at.y = clamp(at.y, edge, 1.0 - edge);
    float low = min(floor(k), float(STRIPES - 2));
    vec3 a = textureLod(environment_map, vec2(at.x, (low + at.y) / float(STRIPES)), 0.0).rgb;
    vec3 b = textureLod(environment_map, vec2(at.x, (low + 1.0 + at.y) / float(STRIPES)), 0.0).rgb;
    return environment.x * mix(a, b, k - low);
}
#else
vec3 reflected(vec3 d, float rough) { return irradiance(d); }
#endif

#if OCCLUSION
uniform sampler2D occlusion;
float seen_around(vec3 world) {     // from the half-size picture, without what lies at another depth
    float depth = eye_depth(world), sum = 0.0, weight = 1e-4;
    vec2 side = vec2(textureSize(occlusion, 0)), at = gl_FragCoord.xy * viewport.zw * side - 0.5;
    vec2 near = textureLod(occlusion, gl_FragCoord.xy * viewport.zw, 0.0).rg;
    if (abs(near.y - depth) < 0.01 * depth) return near.x;     // most points lie on one surface with their neighbours
    ivec2 low = ivec2(floor(at)), most = ivec2(side) - 1;
    vec2 f = fract(at);
    for (int k = 0; k < 4; k++) {
        ivec2 o = ivec2(k & 1, k >> 1);
        vec2 t = texelFetch(occlusion, clamp(low + o, ivec2(0), most), 0).rg;
        float w = (o.x == 0 ? 1.0 - f.x : f.x) * (o.y == 0 ? 1.0 - f.y : f.y) * max(1.0 - 25.0 * abs(t.y - depth) / depth, 1e-4);
        sum += w * t.x;
        weight += w;
    }
    return (sum + 1e-4) / weight;
}
#endif

// how far a Fresnel reflection is on its way from straight on to grazing; a cosine may be a little above 1
float grazing(float cosine) {
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return x2 * x2 * x;
}

// what of light i a point sends to the eye; its diffuse colour is its strength, its specular colour that for what is reflected at once
vec3 from_light(int i, vec4 beam, vec3 n, vec3 view, PbrMaterial p) {
    float nl = dot(n, beam.xyz);
    if (nl <= 0.0) return vec3(0);
    vec3 h = normalize(beam.xyz + view);
    float a = p.rough * p.rough, a2 = a * a, nh = max(dot(n, h), 0.0), q = nh * nh * (a2 - 1.0) + 1.0;
    float f = grazing(dot(view, h));
    float mask = 0.5 / max(mix(2.0 * nl * p.nv, nl + p.nv, a), 1e-4);
    vec3 gloss = a2 / (q * q) * mask * mix(p.f0, vec3(p.f90), f) * p.more;
    return beam.w * nl * (light_diffuse[i].rgb * p.ground + light_specular[i].rgb * gloss);
}
#define DIRECTIONAL(i) sum += from_light(i, directional_beam(i), n, s.view, p);
#define SPOT(i) sum += from_light(i, spot_beam(i, s.world), n, s.view, p);
#define POINT(i) sum += from_light(i, point_beam(i, s.world), n, s.view, p);
#define ARRIVES(first, tiles, reach) lit(first, tiles, s.world, s.normal, reach)
#define DIRECTIONAL_CAST(i, first, tiles) sum += ARRIVES(first, tiles, 1.0) * from_light(i, directional_beam(i), n, s.view, p);
#define SPOT_CAST(i, first, tiles) sum += ARRIVES(first, tiles, distance(light_pos[i].xyz, s.world)) * from_light(i, spot_beam(i, s.world), n, s.view, p);
#define POINT_CAST(i, first, tiles) sum += ARRIVES(first, tiles, distance(light_pos[i].xyz, s.world)) * from_light(i, point_beam(i, s.world), n, s.view, p);

// color: light of the surface's colour; metal 0..1; f0 straight on if it is none
PbrMaterial pbr_material(Surface s, vec3 n, vec3 color, float metal, float f0, float rough) {
    PbrMaterial p;
#if GLOSSY
    vec3 bend = fwidth(n);      // a highlight smaller than a pixel flickers
    rough = pow(min(rough * rough * rough * rough + min(0.5 * dot(bend, bend), 0.18), 1.0), 0.25);
#endif
    p.rough = clamp(rough, SMOOTHEST, 1.0);
    p.nv = clamp(dot(n, s.view), 1e-3, 1.0);
    p.f0 = mix(vec3(f0), color, metal);
    p.f90 = clamp(50.0 * max(p.f0.r, max(p.f0.g, p.f0.b)), 0.0, 1.0) * (1.0 - MATT_SHEEN * p.rough);
    p.f90 = max(p.f90, max(p.f0.r, max(p.f0.g, p.f0.b)));
    // what GGX sends back of even light, as f0 * x + f90 * y; light that bounces twice between facets is not lost
    vec4 r = p.rough * vec4(-1, -0.0275, -0.572, 0.022) + vec4(1, 0.0425, 1.04, -0.04);
    float t = min(r.x * r.x, exp2(-9.28 * p.nv)) * r.x + r.y;
    vec2 part = vec2(-1.04, 1.04) * t + r.zw;
    vec3 once = p.f0 * part.x + p.f90 * part.y, mean = p.f0 + (1.0 - p.f0) / 21.0;
    float lost = 1.0 - part.x - part.y;
    vec3 again = lost * once * mean / (1.0 - mean * lost);
    p.gloss = once;
    p.more = 1.0 + mean.g * lost / max(part.x + part.y, 1e-3);
    p.ground = color * (1.0 - metal) * (1.0 - once - again);
    p.even = again + p.ground;
    p.occlusion = 1.0;
    p.veil = mix(environment.z, 1.0, metal);
    return p;
}
// light of a surface that the environment makes, as strong as the picture shows it
vec3 from_around(Surface s, vec3 n, PbrMaterial p) {
    float o = p.occlusion, smooth_ = max(1.0 - 4.0 * p.rough, 0.0);
    float gloss_seen = clamp(o + smooth_ * smooth_ * (sqrt(p.nv + o) - 1.0), 0.0, 1.0);      // a mirror looks past what hides light
    return p.veil * p.gloss * reflected(reflect(-s.view, n), p.rough) * gloss_seen + p.even * irradiance(n) * o;
}
vec3 lit_by_all(Surface s, vec3 n, PbrMaterial p) {
    vec3 sum = vec3(0);
    LIGHTS_PLAIN
    LIGHTS_CAST
    return environment.y * (from_around(s, n, p) + mix(1.0, p.occlusion, IN_CREVICES) * sum);
}
// decor: its own colour, only so much shaded that its form is seen
vec3 decor(Surface s) {
    vec3 c = s.color * s.tint * (0.62 + 0.38 * max(dot(s.normal, s.view), 0.0)) + s.color * s.emission;
    return with_fog(min(c, 1.0), eye_depth(s.world));
}
