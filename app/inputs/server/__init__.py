"""The page for headsets and phones, and the socket of scripts: HTTPS and WSS, paired by a token."""
