"""How exactly a network computes."""

import torch


def half_on_gpu(device: torch.device) -> torch.autocast:
    """bfloat16 on a GPU, which is twice as fast; many processors can only imitate it, slowly."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
