// tables of gpu/skins.py: entry i of a texture 4096 texels wide
ivec2 cell(int i) { return ivec2(i & 4095, i >> 12); }
