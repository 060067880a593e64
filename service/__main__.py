"""`python -m service` is `flagbook`."""

from service.cli import main

if __name__ == "__main__":
    main()
