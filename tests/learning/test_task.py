"""bfloat16 on a GPU, and nowhere else."""

import pytest
import torch

from azulejar.learning.task import half_on_gpu


@pytest.mark.parametrize(("device", "halved"), [("cpu", False), ("cuda", True)])
def test_only_a_gpu_computes_with_half_the_bits(device, halved):
    if halved and not torch.cuda.is_available():
        pytest.skip("no GPU")
    one = torch.ones(2, 2, device=device)
    with half_on_gpu(one.device):
        assert (one @ one).dtype == (torch.bfloat16 if halved else torch.float32)
