"""A development build to a wheel, from what the tests of the crates have compiled already.

maturin compiles one package on its own, with other features of its dependencies than `cargo test --workspace`, and so
everything once more: some minutes. Here all packages are built together, as the tests build them, and the wheel is put together
from the outcome. A release is built by maturin, and links nothing of a command line.
"""

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import maturin

#: The module as cargo calls it, by system, and as Python does.
LIBRARY = {"win32": "racgen_native.dll", "darwin": "libracgen_native.dylib"}.get(sys.platform, "libracgen_native.so")
MODULE = "_native.pyd" if sys.platform == "win32" else "_native.abi3.so"


def build(root: Path) -> Path:
    """Builds everything, and returns the folder of what was built."""
    subprocess.run(["bash", root / "scripts/build_dev.sh"], check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "debug"


def wheel(root: Path, built: Path, wheel_directory: str) -> str:
    """Puts the wheel together, and returns its name."""
    with tempfile.TemporaryDirectory() as work:
        info = Path(work) / maturin.prepare_metadata_for_build_wheel(work)
        version = info.name.removesuffix(".dist-info")
        (tag,) = [line[5:] for line in (info / "WHEEL").read_text().splitlines() if line.startswith("Tag: ")]
        name = f"{version}-{tag}.whl"
        # By their places in the wheel; RECORD comes last.
        files = {f"{info.name}/{path.relative_to(info).as_posix()}": path for path in info.rglob("*") if path.is_file()}
        files.pop(f"{info.name}/RECORD", None)
        packages = root / "crates/python/python"
        for path in sorted(packages.rglob("*")):
            if path.is_file() and path.suffix in (".py", ".pyi", ".typed"):
                files[path.relative_to(packages).as_posix()] = path
        files[f"racgen/{MODULE}"] = built / LIBRARY
        command = "racgen.exe" if sys.platform == "win32" else "racgen"
        files[f"{version}.data/scripts/{command}"] = built / command
        record = []
        with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for place, path in files.items():
                packed.write(path, place)
                digest = hashlib.sha256(path.read_bytes()).digest()
                told = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
                record.append(f"{place},sha256={told},{path.stat().st_size}\n")
            packed.writestr(f"{info.name}/RECORD", "".join([*record, f"{info.name}/RECORD,,\n"]))
    return name
