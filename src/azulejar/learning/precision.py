"""How exactly a network computes."""

import torch


def half_on_gpu(device: torch.device) -> torch.autocast:
    """bfloat16 on a GPU, float32 elsewhere: many processors can only imitate bfloat16, slowly."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
