"""Run the `fusegraph` command as a module."""

from api.cli import main

if __name__ == "__main__":
    main()
