"""`python -m bot` is `roundtable`."""

from bot.cli.main import main

if __name__ == "__main__":
    main()
