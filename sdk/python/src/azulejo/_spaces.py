"""Spaces of Gymnasium for observations."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from ._native import Layout

# A raw value is one byte.
_MOST = 255


def observation_space(layout: Layout) -> spaces.Box:
    """Scaled observations: each value is at most 255 divided by the scale of its section."""
    high = np.empty(layout.size, np.float32)
    for part in layout.sections:
        end = part.offset + int(np.prod(part.shape))
        high[part.offset : end] = _MOST / part.scale
    return spaces.Box(np.zeros_like(high), high, dtype=np.float32)
