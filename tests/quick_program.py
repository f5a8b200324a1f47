"""``python -m pitboss`` with passwords that cost nothing."""

from pitboss.cli import main
from tests.passwords import quick_passwords

if __name__ == "__main__":
    with quick_passwords():
        main()
