"""Methods of objects of other libraries, by what they return (data)."""

from __future__ import annotations

#: Methods that return the object they are called on. PyTorch 2.9 `torch.nn.Module`, which many classes inherit through
#: a class of another package (`LightningModule`).
RETURNING_SELF: frozenset[str] = frozenset(
    """apply bfloat16 cpu cuda double eval float half ipu mtia requires_grad_ share_memory to to_empty train type
    xpu""".split()
)
