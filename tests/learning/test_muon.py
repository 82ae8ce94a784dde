"""Muon: orthogonal steps of AdamW's size, and AdamW for the rest."""

import pytest
import torch

from azulejar.learning.muon import ROUNDS, SIZE, Muon, orthogonal


def singular_vectors(matrix):
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    return left @ right


@pytest.mark.parametrize("shape", [(6, 40), (40, 6), (12, 12)])
def test_a_matrix_is_made_orthogonal(shape):
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    found = orthogonal(matrix)
    values = torch.linalg.svdvals(found)
    assert ROUNDS == 5
    assert 0.6 < values.min() <= values.max() < 1.3
    nearest = singular_vectors(matrix)
    assert torch.nn.functional.cosine_similarity(found.flatten(), nearest.flatten(), 0) > 0.97


def test_steps_have_the_size_of_those_of_adamw():
    kernel = torch.nn.Parameter(torch.zeros(8, 4, 3, 3))
    optimizer = Muon([kernel], [], lr=0.01, weight_decay=0.0)
    kernel.grad = torch.randn(8, 4, 3, 3, generator=torch.Generator().manual_seed(2))
    optimizer.step()
    size = kernel.detach().square().mean().sqrt().item()
    assert size == pytest.approx(0.01 * SIZE, rel=0.3)
    assert (kernel.detach() * kernel.grad).sum() < 0


def test_what_is_no_matrix_is_stepped_by_adamw():
    start = torch.linspace(-1, 1, 5)
    ours, theirs = (torch.nn.Parameter(start.clone()) for _ in range(2))
    both = [
        (ours, Muon([], [ours], lr=0.1, weight_decay=0.05)),
        (theirs, torch.optim.AdamW([theirs], lr=0.1, betas=(0.9, 0.98), weight_decay=0.05)),
    ]
    for step in range(4):
        for parameter, optimizer in both:
            parameter.grad = torch.sin(parameter.detach() * 3 + step)
            optimizer.step()
    assert torch.allclose(ours, theirs, atol=1e-6)


def test_a_run_goes_on_where_it_was_stopped():
    def make():
        kernel, bias = torch.nn.Parameter(torch.eye(4)), torch.nn.Parameter(torch.zeros(4))
        return kernel, bias, Muon([kernel], [bias], lr=0.1, weight_decay=0.01)

    def go(kernel, bias, optimizer, steps):
        for step in steps:
            kernel.grad = torch.outer(torch.arange(4.0), torch.tensor([1.0, step, -1.0, 2.0]))
            bias.grad = torch.full((4,), float(step))
            optimizer.step()

    whole = make()
    go(*whole, range(6))
    first, second = make(), make()
    go(*first, range(3))
    for mine, other in zip(second[:2], first[:2], strict=True):
        mine.data.copy_(other.data)
    second[2].load_state_dict(first[2].state_dict())
    go(*second, range(3, 6))
    assert torch.equal(second[0], whole[0])
    assert torch.equal(second[1], whole[1])


def test_a_parameter_without_a_gradient_is_left_alone():
    still = torch.nn.Parameter(torch.ones(3))
    Muon([], [still], lr=0.1, weight_decay=0.5).step()
    assert torch.equal(still.detach(), torch.ones(3))
