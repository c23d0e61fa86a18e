"""racgen's taskset under a name that verifiers finds: `--env.taskset.id racgen-verifiers`."""

from racgen.verifiers import RacgenTaskset

__all__ = ["RacgenTaskset"]
