// display colours (sRGB) and light, which adds up; how more light than a screen can show is shown
// The powers are fitted, to 0.3 of 255: roots are quick in software.
vec3 light_of(vec3 c) {
    c = max(c, 0.0);
    vec3 x = (c + 0.055) / 1.055;
    return mix(c / 12.92, x * x * (0.073 + 1.0815 * sqrt(x) - 0.1545 * x), step(vec3(0.04045), c));
}
vec3 display_of(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    vec3 root = sqrt(c);
    return min(mix(12.92 * c, 0.833744 * root + 0.298115 * sqrt(root) - 0.054953 * c - 0.076905, step(vec3(0.0031308), c)), 1.0);
}
// more contrast about TONE_MIDDLE, then bent so that it never reaches 1, and strong light of any colour goes to white (exposure.py has the same)
#define TONE_MIDDLE 0.18
#define TONE_CONTRAST 1.2
#define TONE_COLOUR 1.15    // gloss takes from colours, this gives it back
#define TONE_KNEE 0.55
#define TONE_FADE 0.02
vec3 shown(vec3 light) {
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    light = max(mix(vec3(grey), light, TONE_COLOUR), 0.0) * pow(max(grey, 1e-6) / TONE_MIDDLE, TONE_CONTRAST - 1.0);
    float peak = max(max(light.r, light.g), light.b);
    if (peak <= TONE_KNEE) return light;
    float room = 1.0 - TONE_KNEE, bent = TONE_KNEE + room * (1.0 - exp(-(peak - TONE_KNEE) / room));
    return mix(light * (bent / peak), vec3(bent), 1.0 - 1.0 / (1.0 + TONE_FADE * (peak - bent)));
}
