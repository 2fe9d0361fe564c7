"""``python -m pith`` is the command ``pith``."""

import sys

from pith.cli import main

sys.exit(main())
