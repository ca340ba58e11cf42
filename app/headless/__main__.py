"""python -m app.headless: the headless commands alone."""
import sys

from app.headless import main

sys.exit(main())
