"""``catp`` e ``python -m catp``: o executável, com as palavras como vieram."""

import os
import subprocess
import sys

from . import executable


def main() -> None:
    words = [executable(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(words).returncode)
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
