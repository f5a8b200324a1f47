"""``python -m pitboss`` with passwords that cost nothing, and a lab that gives way to nobody."""

from pitboss.cli import main
from tests.eager_lab import eager_lab
from tests.passwords import quick_passwords

if __name__ == "__main__":
    with quick_passwords(), eager_lab():
        main()
