"""What a person meets who runs ./pit: real runs of the real file in small clones, offline."""

import ast
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import zipfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from tests.command import heed_ctrl_c

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses signals and shell scripts")

ROOT = Path(__file__).parent.parent
LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-bench.lock"]
MAKING = "pit: making .venv ...\n"
REMAKING = "pit: remaking .venv ...\n"
INSTALLING_WITH_PIP = "pit: installing 1 package with pip ...\n"
INSTALLING_WITH_UV = "pit: installing 1 package with uv ...\n"

# Stands for the program, and tells what reached it.
PROGRAM = """
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "cwd": os.getcwd(), "stdin": sys.stdin.read()}))
sys.exit(7 if "unknown" in sys.argv else 0)
"""

# Stands for ruff, mypy and pytest: succeeds unless it is named in FAILING.
TOOL = """
import os, sys
name = os.path.basename(__file__).removesuffix(".py")
print(os.getcwd(), name, *sys.argv[1:], flush=True)
sys.exit(name in os.environ.get("FAILING", "").split())
"""


class Clone:
    """A clone of the repository, as far as pit can tell."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / "path"
        self.wheels = root / "wheels"
        self.repo = root / "re po"  # with a space, as a person's folder may have
        program = self.repo / "src" / "pitboss"
        adversary = self.repo / "tests" / "adversary"
        for folder in (self.path, self.wheels, program, self.repo / "bench", adversary):
            folder.mkdir(parents=True)
        shutil.copy(ROOT / "pit", self.repo)
        for lock in LOCKS:
            self.write(lock, "")
        for package in ("src/pitboss", "bench", "tests/adversary"):
            self.write(f"{package}/__main__.py", PROGRAM)

    def write(self, name: str, text: str) -> None:
        (self.repo / name).write_text(text)

    def add_command(self, name: str, script: str) -> None:
        """Put a shell script on the PATH that pit sees."""
        command = self.path / name
        command.write_text(f"#!/bin/sh\nPATH={os.defpath}\n{script}\n")
        command.chmod(0o755)

    def add_wheel(self, name: str, version: int = 1, needs: str = "") -> str:
        """Make a package that pip finds without a network; return its line for a lock."""
        wheel = self.wheels / f"{name}-{version}-py3-none-any.whl"
        says = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nProvides-Extra: more\n"
        about = f"{name}-{version}.dist-info"
        files = {
            f"{name}.py": "",
            f"{about}/METADATA": says + (f"Requires-Dist: {needs}\n" if needs else ""),
            f"{about}/WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\n",
            f"{about}/RECORD": "",
        }
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
        return f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"

    def start(self, *arguments: str, cwd: Path | None = None, **environment: str):
        offline = {
            "PATH": str(self.path),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
        }
        return subprocess.Popen(
            [sys.executable, str(self.repo / "pit"), *arguments],
            cwd=cwd or self.repo,
            env={**os.environ, **offline, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=heed_ctrl_c,
        )

    def run(self, *arguments: str, stdin: str = "", **options):
        """Run pit to its end; return its exit code and its two outputs."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(stdin, timeout=120)
        return process.returncode, out, err

    def can_import(self, name: str) -> bool:
        python = self.repo / ".venv" / "bin" / "python"
        look = f"import sys, importlib.util as u; sys.exit(not u.find_spec({name!r}))"
        return subprocess.call([python, "-c", look]) == 0


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path)


@pytest.fixture
def pit():
    """Return pit as a module, for what depends on the Python that runs it."""
    loader = SourceFileLoader("pit", str(ROOT / "pit"))
    spec = spec_from_loader("pit", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


# The ordinary run


def test_the_first_run_makes_the_environment_and_the_next_says_nothing(clone):
    code, out, err = clone.run()
    assert (code, err) == (0, MAKING)
    assert json.loads(out)["arguments"] == []  # standard output is the program's alone

    code, again, err = clone.run()
    assert (code, again, err) == (0, out, "")


def test_the_program_gets_arguments_directory_and_input_as_the_caller_gave_them(clone):
    elsewhere = clone.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "json.py").write_text("raise SystemExit('the wrong json')")
    code, out, _ = clone.run("--help", "file.toml", "a b", cwd=elsewhere, stdin="deal me in")
    assert code == 0
    assert json.loads(out) == {
        "arguments": ["--help", "file.toml", "a b"],
        "cwd": str(elsewhere),
        "stdin": "deal me in",
    }


def test_the_exit_code_is_the_programs(clone):
    assert clone.run("unknown")[0] == 7


def test_the_environment_has_a_pitboss_command_of_its_own(clone):
    clone.run()
    command = [clone.repo / ".venv" / "bin" / "pitboss", "one", "two words"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["arguments"] == ["one", "two words"]


def test_it_runs_through_a_symbolic_link(clone):
    link = clone.path / "link"
    link.symlink_to(clone.repo / "pit")
    done = subprocess.run([sys.executable, link], input="", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, MAKING)


# Installing


def test_a_changed_lock_is_installed(clone):
    clone.run()
    assert not clone.can_import("ante")
    clone.write("requirements.lock", clone.add_wheel("ante"))
    code, _, err = clone.run()
    assert (code, err) == (0, REMAKING + INSTALLING_WITH_PIP)
    assert clone.can_import("ante")
    assert clone.run()[2] == ""


def test_a_newer_one_of_a_package_that_is_wanted_with_an_extra_is_left_alone(clone):
    lock = clone.add_wheel("ante", needs="blind[more]>=1") + clone.add_wheel("blind")
    clone.add_wheel("blind", version=2)
    clone.write("requirements.lock", lock)
    assert clone.run()[::2] == (0, MAKING + INSTALLING_WITH_PIP.replace("1 package", "2 packages"))
    assert clone.can_import("ante")
    assert clone.can_import("blind")


def test_a_package_that_is_not_the_locked_one_is_refused(clone):
    locked = re.sub("sha256:.*", "sha256:" + "0" * 64, clone.add_wheel("ante"))
    clone.write("requirements.lock", locked)
    code, out, err = clone.run()
    assert (code, out) == (2, "")
    [said] = err.splitlines()[2:]
    assert said == (
        "pit: cannot install requirements.lock: a package that was downloaded is not the one"
        f" that was locked (all that pip said: {clone.repo}/.venv/pip.log)"
    )
    assert not clone.can_import("ante")
    assert (clone.repo / ".venv" / "requirements.lock.stamp").read_text() == "unfinished"


def test_without_a_network_it_says_what_to_do(clone):
    clone.write("requirements.lock", f"nowhere==1 --hash=sha256:{'0' * 64}\n")
    code, out, err = clone.run()
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert len(err.splitlines()) == 3
    assert "No matching distribution found for nowhere==1; check the network" in err


def test_an_extra_lock_that_fails_leaves_the_program_usable(clone):
    clone.run()
    good = clone.add_wheel("ante")
    clone.write("requirements-bench.lock", good.replace("ante", "nowhere"))
    assert clone.run("bench")[0] == 2
    assert clone.run("play")[::2] == (0, "")

    clone.write("requirements-bench.lock", good)
    code, out, err = clone.run("bench", "--fast", cwd=clone.root)
    assert (code, err) == (0, INSTALLING_WITH_PIP)
    assert json.loads(out)["arguments"] == ["--fast"]
    assert clone.can_import("ante")


def test_uv_is_used_where_there_is_one(clone):
    clone.write("requirements.lock", clone.add_wheel("ante"))
    clone.add_command("uv", f'echo "$@" > "{clone.root}/said"')
    code, _, err = clone.run()
    assert (code, err) == (0, MAKING + INSTALLING_WITH_UV)
    python = clone.repo / ".venv" / "bin" / "python"
    lock = clone.repo / "requirements.lock"
    said = (clone.root / "said").read_text()
    assert said == f"pip install --python {python} --no-deps --require-hashes -r {lock}\n"


def test_pip_steps_in_where_uv_fails(clone):
    clone.write("requirements.lock", clone.add_wheel("ante"))
    clone.add_command("uv", "echo 'error: out of order' >&2; exit 1")
    code, _, err = clone.run()
    assert code == 0
    assert "out of order" not in err
    assert err.endswith(INSTALLING_WITH_PIP)
    assert clone.can_import("ante")


# Trouble


def test_an_environment_whose_python_is_gone_is_remade(clone):
    clone.run()
    (clone.repo / ".venv" / "bin" / "python").unlink()
    assert clone.run()[::2] == (0, REMAKING)
    assert clone.run()[::2] == (0, "")


def test_an_environment_that_is_not_ours_is_remade(clone):
    (clone.repo / ".venv" / "bin").mkdir(parents=True)
    (clone.repo / ".venv" / "requirements.lock.stamp").write_bytes(b"\xff\x00")
    assert clone.run()[::2] == (0, REMAKING)


def test_a_clone_can_be_moved(clone):
    clone.run()
    clone.repo = clone.repo.rename(clone.root / "moved")
    assert clone.run()[::2] == (0, REMAKING)


def test_what_cannot_be_made_is_said_in_one_line(clone):
    clone.write(".venv", "a file where the folder should be")
    code, out, err = clone.run()
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"{REMAKING}pit: cannot set up .*/\.venv: .*\n", err)


def test_a_missing_lock_is_said_in_one_line(clone):
    (clone.repo / "requirements.lock").unlink()
    code, out, err = clone.run()
    assert (code, out) == (2, "")
    assert re.fullmatch(r"pit: cannot set up .* No such file .*requirements\.lock'\n", err)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_an_install_that_was_cut_short_is_repaired(clone, sent, code):
    clone.write("requirements.lock", clone.add_wheel("ante"))
    clone.add_command("uv", f': > "{clone.root}/started"; exec sleep 60')
    process = clone.start()
    deadline = time.monotonic() + 60
    while not (clone.root / "started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, sent)
    _, err = process.communicate()
    assert process.returncode == code
    assert "Traceback" not in err

    clone.add_command("uv", "exit 0")
    assert clone.run()[::2] == (0, REMAKING + INSTALLING_WITH_UV)
    assert clone.run()[::2] == (0, "")


def test_two_first_runs_at_once_wait_for_each_other(clone):
    clone.write("requirements.lock", clone.add_wheel("ante"))
    clone.add_command("uv", "sleep 2")
    runs = [clone.start("one"), clone.start("two")]
    outputs = [run.communicate("", timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert [json.loads(out)["arguments"] for out, _ in outputs] == [["one"], ["two"]]
    waiting = "pit: waiting for another pit to finish installing ...\n"
    assert sorted(err for _, err in outputs) == [MAKING + INSTALLING_WITH_UV, waiting]


# Old Pythons


def test_a_python_that_will_do_is_kept(pit):
    assert pit.newer_python((3, 11, 0), path="") is None
    assert pit.newer_python((4, 0, 0), path="") is None


def test_an_old_python_looks_for_a_newer_one_that_works(pit, clone):
    clone.add_command("python3.11", "exit 127")  # a version manager's shim for nothing
    clone.add_command("python3.12", f'exec "{sys.executable}" "$@"')
    assert pit.newer_python((3, 6, 15), path=str(clone.path)) == str(clone.path / "python3.12")


def test_an_old_python_alone_says_so_in_one_line(pit, clone, capsys):
    with pytest.raises(SystemExit) as stopped:
        pit.newer_python((3, 9, 18), path=str(clone.path))
    assert stopped.value.code == 2
    said = "pit: Pitboss needs Python 3.11 or newer; this is 3.9, and PATH has no other\n"
    assert capsys.readouterr() == ("", said)


def test_an_old_python_can_read_pit():
    ast.parse((ROOT / "pit").read_text(), feature_version=(3, 6))


# ./pit test


@pytest.fixture
def checked(clone):
    """Return a clone whose tools only tell how they were called."""
    for tool in ("ruff", "mypy", "pytest", "coverage"):
        clone.write(f"src/{tool}.py", TOOL)
    clone.add_command("chromium", "exit 1")
    return clone


CORE = [
    *("tests/clauses", "tests/rulebook", "tests/round/test_golden.py"),
    *("tests/round/test_made_hands.py", "tests/round/test_round.py", "tests/settle"),
    *("tests/test_money.py", "tests/cli/test_commands.py", "tests/lab/test_rules_diff.py"),
    "tests/web/pages/test_narration.py",
]
LONG = [f"tests/{each}.py" for each in ("round/test_properties", "round/test_redo", "test_hands")]
TRACED = " ".join(["pytest -n auto --cov --cov-report=", *CORE])
OTHERS = " ".join(["pytest -n auto --dist=worksteal", *(f"--ignore={each}" for each in CORE)])
ALL_CHECKS = [
    "ruff check .",
    "ruff format --check .",
    TRACED,
    "mypy",
    "coverage report --fail-under=98",
    OTHERS,
]
"""Every test is in one of the two runs: what one of them names, the other leaves out."""


@pytest.mark.parametrize(
    ("failing", "failed"),
    [
        ("", []),
        ("ruff", ["ruff check .", "ruff format --check ."]),
        ("pytest", [TRACED, OTHERS]),
        ("ruff mypy pytest coverage", ALL_CHECKS),
    ],
)
def test_every_check_runs_whichever_fails(checked, failing, failed):
    code, out, err = checked.run("test", cwd=checked.root, FAILING=failing)
    assert code == bool(failed)
    assert out.splitlines() == [f"{checked.repo} {check}" for check in ALL_CHECKS]
    headlines = [f"pit: {check}" for check in ALL_CHECKS]
    summary = [f"pit: failed: {', '.join(failed)}"] if failed else []
    assert err.splitlines() == [MAKING.strip(), *headlines, *summary]


def test_quick_looks_at_lint_types_and_the_rules_alone(checked):
    code, out, err = checked.run("test", "--quick", cwd=checked.root)
    assert code == 0
    *lint, tests, types = out.splitlines()
    assert [*lint, types] == [f"{checked.repo} {check}" for check in [*ALL_CHECKS[:2], "mypy"]]
    assert tests == " ".join([f"{checked.repo} pytest -n auto", *LONG, *CORE])
    assert all((ROOT / each).exists() for each in [*LONG, *CORE])
    in_round = {str(each.relative_to(ROOT)) for each in ROOT.glob("tests/round/test_*.py")}
    assert in_round <= {*LONG, *CORE}
    assert "apt-get" not in err, "no browser is fetched for it"


def test_the_adversary_runs_alone_and_from_the_root(checked):
    code, out, err = checked.run("test", "--adversary", "2", "--seed", "7", cwd=checked.root)
    assert code == 0
    found = json.loads(out)
    assert (found["arguments"], found["cwd"]) == (["2", "--seed", "7"], str(checked.repo))
    assert err == MAKING


def test_arguments_are_for_pytest_alone(checked):
    code, out, _ = checked.run("test", "tests/test_x.py", "-k", "a b", FAILING="pytest ruff")
    assert (code, out) == (1, f"{checked.repo} pytest tests/test_x.py -k a b\n")


def test_what_is_compiled_for_tests_is_kept(checked):
    checked.write("src/pytest.py", "import sys; print(sys.dont_write_bytecode)")
    assert checked.run("test", "-x", PYTHONDONTWRITEBYTECODE="1")[1] == "False\n"


# The browser for its tests

BROWSER = "chromium-headless-shell"
INSTALLING = "pit: installing {} with apt-get ...\n"
CANNOT_RUN = (
    "pit: TESTS IN A BROWSER CANNOT RUN: no {} ({}); install your system's package, on Debian: "
    "apt-get install {}\n"
)
BY_ROOT = "it takes apt-get and root to install it from here"
NO_LIBRARY = """test -e "{}/{}" && exit
echo "node: error while loading shared libraries: {}: cannot open shared object file" >&2
exit 127"""


@pytest.fixture
def bare(clone, pit, monkeypatch):
    """Return a clone whose PATH has no browser, and the administrator's rights to get one."""
    monkeypatch.setenv("PATH", str(clone.path))
    monkeypatch.delenv("PITBOSS_CHROMIUM", raising=False)
    monkeypatch.setattr(pit, "VENV", str(clone.repo / ".venv"))
    monkeypatch.setattr(pit.os, "geteuid", lambda: 0)
    return clone


def add_driver(clone: Clone, pit, library: str = "libatomic.so.1") -> None:
    """Put playwright's driver into the clone: it runs where the library is in root's folder."""
    driver = Path(pit.site_packages()) / "playwright" / "driver"
    driver.mkdir(parents=True)
    clone.add_command("node", NO_LIBRARY.format(clone.root, library, library))
    shutil.move(clone.path / "node", driver)


def test_what_a_browser_needs_is_installed_where_it_can_be(bare, pit, capfd):
    bare.add_command(
        "apt-get",
        f'echo "$@" $DEBIAN_FRONTEND >> "{bare.root}/said"\n'
        f'touch "{bare.root}/libatomic.so.1"\n'
        f'cp "$0" "{bare.path}/{BROWSER}"',
    )
    add_driver(bare, pit)
    pit.fetch_browser()
    assert capfd.readouterr() == ("", INSTALLING.format(f"{BROWSER} and libatomic1"))
    assert (bare.root / "said").read_text().splitlines() == [
        "update noninteractive",
        f"install -y --no-install-recommends {BROWSER} libatomic1 noninteractive",
    ]
    pit.fetch_browser()
    assert capfd.readouterr() == ("", "")


def test_a_browser_that_cannot_be_installed_stops_nothing(bare, pit, capfd, monkeypatch):
    bare.add_command("apt-get", f"echo 'E: Unable to locate package {BROWSER}'; exit 100")
    pit.fetch_browser()
    why = f"E: Unable to locate package {BROWSER}"
    said = INSTALLING.format(BROWSER) + CANNOT_RUN.format(BROWSER, why, BROWSER)
    assert capfd.readouterr() == ("", said)

    bare.add_command("apt-get", "exec sleep 60")
    monkeypatch.setattr(pit, "LONGEST", 0.1)
    pit.fetch_browser()
    why = "not done in 0.1 seconds"
    said = INSTALLING.format(BROWSER) + CANNOT_RUN.format(BROWSER, why, BROWSER)
    assert capfd.readouterr() == ("", said)


@pytest.mark.parametrize("why", ["not root", "no apt-get"])
def test_what_is_missing_is_named_where_there_is_no_way_to_get_it(
    bare, pit, capfd, monkeypatch, why
):
    if why == "not root":
        bare.add_command("apt-get", "exit 1")
        monkeypatch.setattr(pit.os, "geteuid", lambda: 1000)
    pit.fetch_browser()
    assert capfd.readouterr() == ("", CANNOT_RUN.format(BROWSER, BY_ROOT, BROWSER))
    bare.add_command("google-chrome", "exit 1")
    add_driver(bare, pit)
    pit.fetch_browser()
    assert capfd.readouterr() == ("", CANNOT_RUN.format("libatomic1", BY_ROOT, "libatomic1"))


def test_a_library_that_nobody_foresaw_is_named_as_the_driver_names_it(bare, pit):
    add_driver(bare, pit, "libunheard.so.4")
    assert pit.missing_packages() == [BROWSER, "libunheard.so.4"]


@pytest.mark.parametrize("found", ["chromium", "google-chrome", ""])
def test_nothing_is_installed_where_there_is_a_browser(bare, pit, capfd, monkeypatch, found):
    bare.add_command("apt-get", "exit 1")
    if found:
        bare.add_command(found, "exit 1")
    else:
        monkeypatch.setenv("PITBOSS_CHROMIUM", "my-chromium")
    pit.fetch_browser()
    assert capfd.readouterr() == ("", "")


# The files it installs from


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_every_package_by_hash_and_names_no_place_to_get_it_from(lock):
    text = (ROOT / lock).read_text()
    packages = re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]
    assert packages
    assert all(re.match(r"[\w.-]+==[\w.]+.*\\\n +--hash=sha256:\w{64}", each) for each in packages)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)


def test_the_project_file_asks_for_what_the_locks_come_from():
    def names(requirements):
        return {re.split(r"[^\w-]", line)[0] for line in requirements if line[0].isalpha()}

    def wanted(lock):
        return names((ROOT / lock).with_suffix(".in").read_text().splitlines())

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extra = project["dependency-groups"]
    groups = [project["project"]["dependencies"], extra["test"], extra["bench"]]
    assert [names(group) for group in groups] == [wanted(lock) for lock in LOCKS]
