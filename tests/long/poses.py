"""All pairs of geom types in 200 poses each: `./test.sh --long poses [--pairs a-b ...] [--count N] [--json FILE] [--show N]`, see tests/oracle/poses.py."""
import sys

from tests.oracle.poses import main

if __name__ == "__main__":
    sys.exit(main())
