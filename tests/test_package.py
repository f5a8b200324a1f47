"""What somebody has who installs Pitboss: built, installed and used far from any clone."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import pitboss
from pitboss import rulebook
from tests import package_index
from tests.browser import chromium

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
BOOK = "common/mississippi-stud"
MINUTES = 10 * 60

ROUND = """
rulebook = "diamond-jo-worth/cajun-stud"
minimum = "5.00"
board = "Th Jh Qh"
[[seat]]
seat = 1
cards = "Kh Ah"
ante = "100.00"
raises = [3, 3, 3]
"""

BORROWED = """
import importlib.util, json, sys, pitboss
found = {name: type(getattr(pitboss, name)).__name__ for name in pitboss.__all__}
near = [name for name in ("bench", "tools", "tests") if importlib.util.find_spec(name)]
json.dump({"file": pitboss.__file__, "names": found, "near": near}, sys.stdout)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a source distribution, and of the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-P", "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run([*build, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def test_the_wheel_is_the_program_with_all_its_files_and_nothing_else(built):
    kept = (each for each in (SOURCE / "pitboss").rglob("*") if each.is_file())
    wanted = {path.relative_to(SOURCE).as_posix() for path in kept if path.suffix != ".pyc"}
    assert wanted >= {
        "pitboss/py.typed",
        "pitboss/settle/federal-tax.toml",
        "pitboss/rulebook/rulings.toml",
        f"pitboss/rulebook/houses/{BOOK}.toml",
        "pitboss/lab/papers/par.typ",
        "pitboss/lab/papers/clause_tests.json",
        "pitboss/web/pages/static/cards.svg",
        "pitboss/web/pages/templates/base.html",
    }
    with zipfile.ZipFile(wheel(built)) as archive:
        names = set(archive.namelist())
    about = {name for name in names if name.startswith(f"pitboss-{pitboss.__version__}.dist-info/")}
    assert names - about == wanted


def test_the_source_distribution_can_test_and_measure_itself(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert names >= {
        *("pit", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "requirements.lock"),
        *("bench/__main__.py", "tools/draw_cards.py", "tests/test_package.py", "docs/settle.md"),
    }


class Installed:
    """A fresh environment in which nothing is but Pitboss and what it asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        # Nothing of this run's environment or clone reaches it.
        strange = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        self.environment = {k: v for k, v in os.environ.items() if k not in strange}
        self.environment |= {"PITBOSS_DATA": str(folder / "data")}

    def run(self, *command: str, given: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a program of this environment to its end, somewhere else."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            input=given,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=MINUTES,
        )

    def pip(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        # What is never imported need not be compiled.
        quick = ("--no-input", "--no-compile")
        return self.run("python", "-I", "-m", "pip", "install", *quick, *arguments)

    def says(self, *command: str, given: str = "") -> str:
        """What a program says that has nothing to complain of."""
        done = self.run(*command, given=given)
        assert (done.returncode, done.stderr) == (0, ""), (command, done.stdout, done.stderr)
        return done.stdout

    @contextmanager
    def serving(self, where: str) -> Iterator[str]:
        """Serve a house until Ctrl-C; its address."""
        command = [str(self.bin / "pitboss"), "serve", "--port", "0", "--db", where]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout is not None
                yield server.stdout.readline().split()[-1]
                server.send_signal(signal.SIGINT)
                assert server.wait(20) == 0
            finally:
                server.kill()


@pytest.fixture
def installed(built: Path, tmp_path: Path) -> Installed:
    found = Installed(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    done = found.pip("--no-deps", "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    if done.returncode and "No matching distribution" in done.stderr:
        # As without a browser: skipped out loud, and a failure where CI must reach one.
        (pytest.fail if chromium.required() else pytest.skip)(package_index.MISSING)
    assert done.returncode == 0, done.stdout + done.stderr
    # The lock has all that the package asks for, so no index is needed any more.
    done = found.pip("--no-index", str(wheel(built)))
    assert done.returncode == 0, done.stdout + done.stderr
    return found


def answer(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=20) as found:
        assert found.status == 200
        body: bytes = found.read()
    return body


@pytest.mark.skipif(os.name == "nt", reason="uses signals")
def test_it_serves_plays_prices_settles_and_audits_far_from_any_clone(installed, tmp_path):
    assert installed.says("pitboss", "--version") == f"pitboss {pitboss.__version__}\n"

    borrowed = json.loads(installed.says("python", "-I", "-c", BORROWED))
    assert Path(borrowed["file"]).is_relative_to(tmp_path)
    assert borrowed["near"] == []
    assert set(borrowed["names"]) == set(pitboss.__all__)

    listed = installed.says("pitboss", "rules", "list")
    assert all(each in listed for each in rulebook.ids())
    priced = json.loads(installed.says("pitboss", "par", BOOK, "--json"))
    assert priced["rulebook"] == BOOK
    assert len(styles(installed, "par", BOOK, "--html", "par.html")) > 1000

    assert "SHA256SUMS" in installed.says("pitboss", "submission", BOOK, "papers.zip")

    (tmp_path / "round.toml").write_text(ROUND, "utf-8")
    assert "Royal flush pays 500 to 1" in installed.says("pitboss", "settle", "round.toml")

    said = installed.says("pitboss", "play", BOOK, "--seed", "7", given="\nf\nq\n")
    assert "Receipt" in said
    assert "Thank you for playing." in said

    with installed.serving("house.db") as address:
        assert json.loads(answer(address + "/health"))
        lobby = answer(address).decode()
        files = set(re.findall(r"/static/[0-9a-f]+/[\w.-]+", lobby))
        assert {Path(each).suffix for each in files} >= {".css", ".js", ".svg"}
        assert all(answer(address + each) for each in files)
        assert b"Mississippi Stud" in answer(f"{address}/rules/{BOOK}")
        crowd = ("--url", address, "--rulebook", BOOK, "--tables", "1", "--rounds", "2")
        assert json.loads(installed.says("pitboss", "bots", *crowd, "--json"))["rounds"] == 2
    assert installed.says("pitboss", "audit", "--db", "house.db").count(" holds\n") == 8


def styles(installed: Installed, *arguments: str) -> str:
    """The stylesheet in the page that a command writes to its last argument."""
    installed.says("pitboss", *arguments)
    page = (installed.folder / arguments[-1]).read_text("utf-8")
    return page.partition("<style>")[2].partition("</style>")[0]


# import pitboss ---------------------------------------------------------------------------------


def test_every_public_name_is_there_and_known_to_type_checkers():
    for name in pitboss.__all__:
        assert getattr(pitboss, name) is not None
    assert dir(pitboss) == sorted(pitboss.__all__)
    tree = ast.parse(Path(pitboss.__file__).read_text("utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = [node for node in typed.body if isinstance(node, ast.ImportFrom)]
    names = {each.name for node in imported for each in node.names}
    assert names | {"__version__"} == set(pitboss.__all__)


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(AttributeError, match="module 'pitboss' has no attribute 'dealer'"):
        _ = pitboss.dealer
