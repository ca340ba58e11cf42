// what the flat pictures say of a pixel; MODE as in passes/identity.py
float halton(int index, int base) {
    float r = 0.0, f = 1.0;
    for (int k = 0; k < 32 && index > 0; k++) { f /= float(base); r += f * float(index % base); index /= base; }
    return r;
}
vec4 identity(float number, float depth, vec3 normal) {
    int id = int(number + 0.5);
#if MODE == 0
    return vec4(number + 1.0, depth, 0, 1);
#elif MODE == 1
    return vec4(0.1 + 0.8 * halton(id + 10, 2), 0.1 + 0.8 * halton(id + 10, 3), 0.1 + 0.8 * halton(id + 10, 5), 1);
#elif MODE == 2
    int n = id + 1;
    return vec4(float(n & 255), float((n >> 8) & 255), float((n >> 16) & 255), 255.0) / 255.0;
#elif MODE == 5
    return vec4(1);
#elif MODE == 3
    return vec4(normal, 1);
#else
    return vec4(0.5 + 0.5 * normal, 1);
#endif
}
