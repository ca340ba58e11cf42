"""What a Model gives the renderer once: meshes, textures, materials, skins."""
