from tests.oracle.fixtures import kernels, quiet_oracle

__all__ = ["kernels", "quiet_oracle"]
