"""Kernels of the compiler: the inner loops over pixels, triangles and text, for when compiled code is at hand.

Each has a twin in NumPy beside its caller, which gives the same to the last bit and does the work where kernels have not been loaded (a script that only
compiles) or not been compiled yet (the first start on a machine). Nothing here waits for a compiler.
"""
