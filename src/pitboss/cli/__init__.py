"""The ``pitboss`` command. Each subcommand is imported only when it is asked for."""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

import click

from pitboss import __version__
from pitboss.errors import PitbossError

COMMANDS = {
    "serve": "Open the house: tables, journal, ledger and the API.",
    "bots": "Let a crowd of bots play at a house, through its API.",
    "play": "Sit down at a table in the terminal, with play chips.",
    "prorate": "Share a capped payout over the wins it binds.",
    "rules": "List, show, check, compare, post and adopt rulebooks.",
    "settle": "Settle one round from a file and explain every chip.",
    "par": "Price a rulebook exactly: edge, outcomes, side wagers, progressive.",
    "submission": "Write all that a regulator asks of a game, in one bundle.",
    "advise": "Say what each choice is worth, given all that is seen.",
    "protect": "Say what a player gains who knows more than the rules let them see.",
    "design": "Search for the pay tables that come to an edge, a hit rate, a volatility.",
    "risk": "Say what may happen to the money: an hour, a bankroll, a jackpot, a bonus.",
    "published": "Hold what others have printed against what we work out.",
    "simulate": "Deal rounds by the million, beside the exact value; bankrolls, risk of ruin.",
    "shuffle-test": "Test whether the house's cards are fair, over millions of deals.",
    "win": "Say what a house has won: how much was edge, mistakes and luck.",
    "audit": "Replay a house's journal and check its promises.",
    "export": "Write a house's rounds and ledger as JSON lines or CSV.",
}


class LazyGroup(click.Group):
    """Commands by name, each with its line of help; one is its module's ``command``, and the
    module is imported when the command is used."""

    def __init__(self, *, package: str, summaries: Mapping[str, str], **options: Any) -> None:
        super().__init__(**options)
        self.package, self.summaries = package, summaries

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        if name not in self.summaries:
            ctx.fail(f"no command {name!r}; there are {', '.join(self.summaries)}")
        module = import_module(f"{self.package}.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write their lines of help, without loading one."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))


@click.group(
    cls=LazyGroup,
    package=__name__,
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="pitboss %(version)s")
def _group() -> None:
    """Run house-banked stud poker as the casino's own rules document says."""


def main() -> None:
    run(_group, "pitboss")


def run(command: click.Command, name: str) -> None:
    """Run a command line: one clear line on standard error and exit code 2 for bad input."""
    # The maths is of integers. The threads that numpy starts for linear algebra would do nothing
    # but take their time to start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        command.main(prog_name=name, standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        sys.exit(2)
    except click.ClickException as error:
        _complain(error.format_message())
    except PitbossError as error:
        _complain(str(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        _complain(f"cannot go on: {error.strerror}")


def _complain(message: str) -> NoReturn:
    print("pitboss: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(2)
