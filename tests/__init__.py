"""Bytecode is kept beside the sources, also where Python is told to write none.

Images of containers often tell it so. Then every worker compiles all tests anew, and every process
that a test starts compiles the bot: a second of processor time each, some hundred times.
"""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
