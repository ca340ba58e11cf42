"""The tables of every field of Model, Data and the kernels' buffers, and how they lie in memory."""
