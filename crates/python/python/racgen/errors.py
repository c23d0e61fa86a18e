"""What went wrong, as exceptions with the command's sentences: place, cause, remedy."""


class RacgenError(Exception):
    """Something went wrong, or was found wrong."""


class UsageError(RacgenError, ValueError):
    """Arguments, or files that they name, are at fault."""


class MissingPackage(RacgenError, ImportError):
    """An adapter needs a Python package that is not installed."""


def missing(package: str, what: str) -> MissingPackage:
    """The error of an adapter whose package is not installed."""
    return MissingPackage(f"{what} needs the package {package}; install it with `pip install {package}`")
