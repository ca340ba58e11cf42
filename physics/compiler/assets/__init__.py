"""Files of assets: where they are, what is kept of them, height fields and skins."""
