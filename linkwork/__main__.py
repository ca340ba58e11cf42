"""`python -m linkwork`: the command linkwork."""
import sys

from app.main import main

if __name__ == "__main__":
    sys.exit(main())
