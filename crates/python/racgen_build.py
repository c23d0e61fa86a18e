"""A checkout to a wheel: the module by maturin, and beside it the command `racgen`.

The module links nothing of a command line, so the command is a program of its own. It is built first and stands among the
wheel's scripts. RACGEN_BUILD_PROFILE=dev makes a wheel for tests instead, sooner (`racgen_dev_wheel`).
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
import racgen_dev_wheel

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "crates/python/racgen.data/scripts"
PROFILE = os.environ.get("RACGEN_BUILD_PROFILE", "release")


def _ready() -> None:
    """Puts what scripts/setup.sh installs on the path."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "bin"
    os.environ["PATH"] = os.pathsep.join([str(ROOT / ".tools/bin"), os.environ.get("PATH", ""), str(cargo)])
    os.environ.setdefault("MATURIN_PEP517_ARGS", f"--profile {PROFILE} --locked")


def _command() -> None:
    """Builds the command and puts it among the scripts."""
    subprocess.run(["cargo", "build", "--locked", "--profile", PROFILE, "--bin", "racgen"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    name = "racgen.exe" if sys.platform == "win32" else "racgen"
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    shutil.copy2(target / ("debug" if PROFILE == "dev" else PROFILE) / name, SCRIPTS / name)


def get_requires_for_build_wheel(config_settings=None):
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings=None):
    return maturin.get_requires_for_build_editable(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    _ready()
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _ready()
    if PROFILE == "dev":
        return racgen_dev_wheel.wheel(ROOT, racgen_dev_wheel.build(ROOT), wheel_directory)
    _command()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _ready()
    _command()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
