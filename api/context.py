"""What a resolver is given."""

from dataclasses import dataclass

import graph


@dataclass
class Context:
    """The memory that the application opened at its start."""

    memory: graph.Memory
