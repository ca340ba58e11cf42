"""The steps of one frame; each pass draws into the framebuffer that is bound."""
