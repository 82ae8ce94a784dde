"""Ageing on the device: pictures and real panels become panels of worn tiles, thousands a second.

A panel is cut from several squares, its parts, so that an edge has many rivals of the same palette
and wear. Every panel gets its own wear, and every tile its own share of it, so that the network
cannot tell neighbours by the light of one photograph. ``strength`` from 0 to 1 scales the wear of
each panel; lengths are fractions of a tile's side.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from azulejar.learning.pictures import MARGIN
from azulejar.learning.views import SIZE

TRIM = (0.02, 0.10)  # range of a panel's trim, at each side of each tile
# Tiles photographed one by one, at level 1 ("strong"): largest change of a tile's brightness, of
# each of its channels, and of brightness from its middle to a side; blur in pixels, noise, turn in
# radians, and error of the crop.
GAIN, TINT, GRADIENT = 0.18, 0.08, 0.15
BLUR, NOISE = 1.0 * SIZE / 64, 0.025 * 0.8
TURN, CROP = math.radians(1.5), 0.025
LEAST_SHARE = 0.4  # the least that a kind of change has, as a share of its panel's level
UNEVEN_TRIM = 0.02  # how much more or less a single side may lose
SHADE = 80  # pixels of a square: light and shade broader than this are flattened
DCT = 8  # pixels: side of the blocks that JPEG quantizes


class Chance:
    """Random numbers from one seeded generator on the device."""

    def __init__(self, seed: int, device: torch.device) -> None:
        self.device = device
        self.source = torch.Generator(device).manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return self.unit(*shape) * (high - low) + low

    def unit(self, *shape: int) -> Tensor:
        return torch.rand(*shape, device=self.device, generator=self.source)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, device=self.device, generator=self.source)

    def below(self, high: int, count: int) -> Tensor:
        return torch.randint(high, (count,), device=self.device, generator=self.source)

    def shuffled(self, count: int) -> Tensor:
        return torch.randperm(count, device=self.device, generator=self.source)


@dataclass(frozen=True)
class RawPanels:
    """The squares that p panels are cut from [p, parts, 3, S, S] uint8, and how to cut each [p].

    - ``drawn``: pictures, whose broad light and shade are partly flattened;
    - ``loose``: without tiles of their own, so they are cropped anywhere and given joints. The
      others show grid × grid tiles with a margin of one tile, and are cut along their joints;
    - ``painted``: repainted in the colours of azulejos.
    """

    squares: Tensor
    drawn: Tensor
    loose: Tensor
    painted: Tensor


def age_panels(
    raw: RawPanels,
    grid: int,
    strength: Tensor,
    chance: Chance,
    trim: tuple[float, float] = TRIM,
    light: Tensor | None = None,
) -> Tensor:
    """Return worn tiles [p, parts · grid², 3, 50, 50] from 0 to 1, part after part.

    Args:
        raw: What the panels are cut from.
        grid: Tiles a side of a part.
        strength: How worn each panel is, from 0 to 1 [p].
        chance: The random numbers.
        trim: Range from which each panel's trim is drawn.
        light: How differently the tiles of each panel were photographed [p]: 0 alike, 1 strongly.
    """
    panels, parts = raw.squares.shape[:2]
    per_panel = parts * grid * grid
    x, y = _place_in_tile(per_panel, strength, trim, chance)
    if light is not None:
        x, y = _jitter_crop(x, y, light, chance)
    loose, drawn = (flag.repeat_interleave(parts) for flag in (raw.loose, raw.drawn))
    in_part = (panels * parts, grid * grid, SIZE, SIZE)
    places = _place_in_square(x.reshape(in_part), y.reshape(in_part), grid, loose, chance)
    tiles = _sample(_flatten_shade(raw.squares.flatten(0, 1), drawn, chance), places)
    tiles = tiles.reshape(panels, per_panel, 3, SIZE, SIZE)
    painted = raw.painted[:, None, None, None, None]
    tiles = torch.where(painted, paint_as_tiles(tiles, chance), tiles).flatten(0, 1)
    depth = torch.minimum(_distance_to_rim(x), _distance_to_rim(y)).flatten(0, 1)[:, None]
    tiles = _add_joints(tiles, depth, raw.loose, per_panel, chance)
    tiles = _chip_glaze(tiles, depth, strength, chance)
    tiles = _vary_light(tiles, strength, chance)
    if light is not None:
        tiles = _light_separately(tiles, light, chance)
    tiles = _photograph(tiles, strength, chance)
    return tiles.clamp(0, 1).unflatten(0, (panels, per_panel))


def _place_in_tile(
    tiles: int, strength: Tensor, trims: tuple[float, float], chance: Chance
) -> tuple[Tensor, Tensor]:
    """Return where pixels lie in the whole tile, from -½ to ½, after trim and skew.

    x and y, each [p, tiles, 50, 50].
    """
    panels = len(strength)
    share = strength[:, None, None]
    trim = chance.uniform(*trims, panels, 1, 1)
    trim = trim + chance.uniform(-UNEVEN_TRIM, UNEVEN_TRIM, panels, tiles, 4) * share
    trim = trim.clamp(min=0.0)
    pixel = (torch.arange(SIZE, device=chance.device) + 0.5) / SIZE
    left, right, top, bottom = (side[..., None] for side in trim.unbind(2))
    x = (left + (1 - left - right) * pixel - 0.5)[:, :, None, :]
    y = (top + (1 - top - bottom) * pixel - 0.5)[:, :, :, None]
    skew = (chance.normal(4, panels, tiles, 1, 1) * 0.01 * share[..., None]).clamp(-0.02, 0.02)
    return (1 + skew[0]) * x + skew[1] * y, skew[2] * x + (1 + skew[3]) * y


def _jitter_crop(x: Tensor, y: Tensor, light: Tensor, chance: Chance) -> tuple[Tensor, Tensor]:
    """Crop and turn each tile a little differently; beyond its rim, the rim is repeated."""
    size = (*x.shape[:2], 1, 1)
    crop = _share(light, chance)[:, None, None, None] * CROP
    turn = _share(light, chance)[:, None, None, None] * TURN
    right, down, larger, turned = (chance.uniform(-1, 1, *size) for _ in range(4))
    larger, angle = 1 + larger * crop, turned * turn
    cos, sin = larger * angle.cos(), larger * angle.sin()
    moved = x * cos - y * sin + right * crop, x * sin + y * cos + down * crop
    return moved[0].clamp(-0.5, 0.5), moved[1].clamp(-0.5, 0.5)


def _share(light: Tensor, chance: Chance) -> Tensor:
    """Draw how strong one kind of change is on each panel [p]: at most the panel's own level."""
    return light * chance.uniform(LEAST_SHARE, 1.0, len(light))


def _place_in_square(x: Tensor, y: Tensor, grid: int, loose: Tensor, chance: Chance) -> Tensor:
    """Return places in each of m squares in grid_sample's units, -1 to 1: [m, grid², 50, 50, 2].

    Loose squares may be cropped, stretched and turned a little; all may be mirrored and turned by
    quarters.
    """
    count, tiles = x.shape[:2]
    tile = torch.arange(tiles, device=chance.device)[None, :, None, None]
    x = (tile % grid + 0.5 + x) / grid - 0.5
    y = (tile // grid + 0.5 + y) / grid - 0.5

    def each(value: Tensor) -> Tensor:
        return value[:, None, None, None]

    whole = torch.full((count,), grid / (grid + 2 * MARGIN), device=chance.device)
    side = torch.where(loose, chance.uniform(0.75, 1.0, count), whole)
    aspect = torch.exp(chance.uniform(-0.12, 0.12, count) * loose)
    angle = chance.uniform(-0.2, 0.2, count) * loose * (chance.unit(count) < 0.5)
    x = x * each(side * aspect.clamp(max=1))
    y = y * each(side / aspect.clamp(min=1))
    cos, sin = each(angle.cos()), each(angle.sin())
    x, y = x * cos - y * sin, x * sin + y * cos
    transposed = each(chance.unit(count) < 0.25)
    x, y = torch.where(transposed, y, x), torch.where(transposed, x, y)
    x = x * each((chance.unit(count) < 0.5).float() * 2 - 1)
    y = y * each((chance.unit(count) < 0.75).float() * 2 - 1)
    free = (1 - side) * loose
    x = x + each((chance.unit(count) - 0.5) * free)
    y = y + each((chance.unit(count) - 0.5) * free)
    return torch.stack([2 * x, 2 * y], -1)


def _flatten_shade(squares: Tensor, drawn: Tensor, chance: Chance) -> Tensor:
    """Return squares from 0 to 1, taking some of the broad light and shade out of pictures.

    Tile painters leave the ground white: on real panels, detail was measured to be stronger against
    broad shading than in paintings and photographs.
    """
    pixels = squares.float() / 255
    broad = functional.avg_pool2d(pixels, SHADE)
    broad = functional.interpolate(broad, pixels.shape[2:], mode="bilinear", align_corners=False)
    mean = broad.mean((2, 3), keepdim=True)
    share = chance.uniform(0.0, 0.9, len(squares)) * drawn
    return pixels - share[:, None, None, None] * (broad - mean)


def _sample(squares: Tensor, places: Tensor) -> Tensor:
    panels, tiles = places.shape[:2]
    pixels = functional.grid_sample(
        squares,
        places.reshape(panels, tiles * SIZE, SIZE, 2),
        padding_mode="reflection",
        align_corners=False,
    )
    return pixels.view(panels, 3, tiles, SIZE, SIZE).transpose(1, 2)


def paint_as_tiles(tiles: Tensor, chance: Chance) -> Tensor:
    """Paint in the colours of azulejos: mostly cobalt on white, some unchanged."""
    panels = len(tiles)

    def each(value: Tensor) -> Tensor:
        return value.view(panels, 1, -1, 1, 1)

    weight = torch.tensor([0.3, 0.59, 0.11], device=tiles.device).view(3, 1, 1)
    light = (tiles * weight).sum(2, keepdim=True)
    mean = light.mean((1, 3, 4), keepdim=True)
    spread = light.std((1, 3, 4), keepdim=True).clamp(min=0.05)
    light = (light - mean) / spread * each(chance.uniform(0.2, 0.45, panels))
    light = light + each(chance.uniform(0.3, 0.7, panels))
    light = torch.where(each(chance.unit(panels) < 0.06), 1 - light, light).clamp(0, 1)
    light = light ** each(torch.exp(chance.uniform(-0.35, 0.35, panels)))
    dark, middle, white = _ramp(panels, chance)
    ramp = (1 - light) ** 2 * each(dark) + 2 * light * (1 - light) * each(middle)
    ramp = ramp + light**2 * each(white)
    kind = chance.unit(panels)
    partly = torch.where(kind < 0.84, chance.uniform(0.3, 0.9, panels), torch.zeros_like(kind))
    mix = each(torch.where(kind < 0.72, torch.ones_like(kind), partly))
    return (tiles * (1 - mix) + ramp * mix).clamp(0, 1)


def _ramp(panels: int, chance: Chance) -> tuple[Tensor, Tensor, Tensor]:
    """Draw the darkest, middle and lightest colour of each panel, each [p, 3]."""

    def colour(*ranges: tuple[float, float]) -> Tensor:
        return torch.stack([chance.uniform(low, high, panels) for low, high in ranges], 1)

    cobalt = colour((0.05, 0.35), (0.1, 0.42), (0.35, 0.68))
    manganese = colour((0.2, 0.45), (0.1, 0.3), (0.08, 0.35))
    dark = torch.where(chance.unit(panels, 1) < 0.88, cobalt, manganese)
    white = chance.uniform(0.72, 0.98, panels, 1) + chance.uniform(-0.05, 0.05, panels, 3)
    white = white.clamp(0, 1)
    middle = (dark + white) / 2 + chance.uniform(-0.12, 0.12, panels, 1)
    return dark, middle + chance.uniform(-0.05, 0.05, panels, 3), white


def _distance_to_rim(along: Tensor) -> Tensor:
    return torch.minimum(0.5 + along, 0.5 - along)


def _per_tile(of_panel: Tensor, tiles: int) -> Tensor:
    """Repeat one number a panel for each of its tiles: [tiles, 1, 1, 1]."""
    return of_panel.repeat_interleave(tiles // len(of_panel)).view(-1, 1, 1, 1)


def _spots(tiles: int, points: int, chance: Chance) -> Tensor:
    """Draw a smooth random relief, one value a pixel: [tiles, 1, 50, 50]."""
    coarse = chance.normal(tiles, 1, points, points)
    return functional.interpolate(coarse, (SIZE, SIZE), mode="bicubic", align_corners=False)


def _add_joints(
    tiles: Tensor, depth: Tensor, loose: Tensor, per_panel: int, chance: Chance
) -> Tensor:
    """Add an uneven rim of joint mortar, in one colour for each panel."""
    panels = len(loose)
    width = chance.uniform(0.0, 0.03, panels) * (chance.unit(panels) < 0.7) * loose
    width = width.repeat_interleave(per_panel).view(-1, 1, 1, 1)
    colour = chance.uniform(0.3, 0.95, panels, 1) + chance.uniform(-0.06, 0.06, panels, 3)
    colour = colour.repeat_interleave(per_panel, 0)[..., None, None]
    uneven = width * (1 + 0.35 * _spots(len(tiles), 9, chance))
    cover = torch.sigmoid((uneven - depth) * 150) * (width > 0)
    return tiles * (1 - cover) + colour * cover


def _chip_glaze(tiles: Tensor, depth: Tensor, strength: Tensor, chance: Chance) -> Tensor:
    """Chip glaze off along the rim, more on some panels and tiles than on others."""
    count = len(tiles)
    wear = _per_tile(chance.unit(len(strength)) * strength, count)
    wear = wear * (chance.unit(count, 1, 1, 1) < 0.6)
    relief = 0.8 * _spots(count, 9, chance) + 0.6 * _spots(count, 17, chance)
    lost = torch.sigmoid((relief - (2.6 - 1.3 * wear + 22 * depth)) * 8) * (wear > 0)
    clay = chance.uniform(0.45, 0.95, count, 1) + chance.uniform(-0.08, 0.08, count, 3)
    return tiles * (1 - lost) + clay[..., None, None] * lost


def _vary_light(tiles: Tensor, strength: Tensor, chance: Chance) -> Tensor:
    """Give each tile its own gain, tint, gamma, gradient of light and mottled glaze."""
    count = len(tiles)
    share = _per_tile(chance.unit(len(strength)) ** 1.5 * strength, count)

    def one(deviation: float, channels: int = 1) -> Tensor:
        return chance.normal(count, channels, 1, 1) * deviation * share

    place = (torch.arange(SIZE, device=tiles.device) + 0.5) / SIZE - 0.5
    slope = one(0.18) * place.view(1, SIZE) + one(0.18) * place.view(SIZE, 1)
    gain = torch.exp(one(0.14) + one(0.04, 3)) * (1 + slope)
    offset = one(0.04) + one(0.015, 3) + _spots(count, 9, chance) * 0.02 * share
    return tiles.clamp(1e-3, 1) ** torch.exp(one(0.12)) * gain + offset


def _light_separately(tiles: Tensor, light: Tensor, chance: Chance) -> Tensor:
    """Photograph each tile by itself, with its own gain, tint, gradient, blur and noise."""
    count = len(tiles)

    def one(largest: float, channels: int = 1) -> Tensor:
        share = _per_tile(_share(light, chance), count)
        return chance.uniform(-1, 1, count, channels, 1, 1) * largest * share

    place = torch.linspace(-1, 1, SIZE, device=tiles.device)
    gradient = _per_tile(_share(light, chance), count) * GRADIENT
    right, down = (chance.uniform(-1, 1, count, 1, 1, 1) * gradient for _ in range(2))
    slope = 1 + right * place.view(1, SIZE) + down * place.view(SIZE, 1)
    tiles = tiles * ((1 + one(GAIN)) * (1 + one(TINT, 3))) * slope
    sigma = _per_tile(_share(light, chance), count) * BLUR * chance.unit(count, 1, 1, 1)
    tiles = _blur(tiles, sigma.flatten())
    noise = _per_tile(_share(light, chance), count) * NOISE * chance.uniform(0.3, 1, count, 1, 1, 1)
    return tiles + chance.normal(count, 3, SIZE, SIZE) * noise


def _photograph(tiles: Tensor, strength: Tensor, chance: Chance) -> Tensor:
    """Add blur, noise and JPEG artefacts."""
    count, panels = len(tiles), len(strength)
    sigma = _per_tile(chance.uniform(0, 0.9, panels), count)
    sigma = sigma + chance.unit(count, 1, 1, 1) * 0.35 * _per_tile(strength, count)
    tiles = _blur(tiles, sigma.flatten())
    noise = 0.8 * chance.normal(count, 1, SIZE, SIZE) + 0.6 * chance.normal(count, 3, SIZE, SIZE)
    tiles = tiles + noise * _per_tile(chance.unit(panels) ** 2 * 0.05 * strength, count)
    rounding = chance.unit(panels) ** 2 * (chance.unit(panels) < 0.6) * 0.05 * strength
    return _quantize(tiles, _per_tile(rounding, count) + 1e-4)


def _blur(tiles: Tensor, sigma: Tensor) -> Tensor:
    """Blur by a Gaussian over five pixels each way; sigma [count] in pixels."""
    distance = torch.arange(3, device=tiles.device)
    weight = torch.exp(-(distance**2) / (2 * sigma[:, None] ** 2 + 1e-4))
    weight = weight / (weight[:, :1] + 2 * weight[:, 1:].sum(1, keepdim=True))
    near = weight[:, :, None, None, None]
    for axis, padding in ((2, (0, 0, 2, 2)), (3, (2, 2, 0, 0))):
        wide = functional.pad(tiles, padding, mode="replicate")
        line = [wide.narrow(axis, start, SIZE) for start in range(5)]
        tiles = near[:, 0] * line[2] + near[:, 1] * (line[1] + line[3])
        tiles = tiles + near[:, 2] * (line[0] + line[4])
    return tiles


def _quantize(tiles: Tensor, step: Tensor) -> Tensor:
    """Round the cosine coefficients of 8×8 blocks, finer detail more coarsely, as JPEG does."""
    blocks = math.ceil(SIZE / DCT)
    order = torch.arange(DCT, device=tiles.device, dtype=torch.float32)
    basis = torch.cos(math.pi * (2 * order + 1) * order[:, None] / (2 * DCT)) * math.sqrt(2 / DCT)
    basis[0] /= math.sqrt(2)
    transform = torch.block_diag(*[basis] * blocks)
    coarseness = (1 + 0.6 * (order + order[:, None])).repeat(blocks, blocks) * step
    border = blocks * DCT - SIZE
    before = border // 2
    wide = functional.pad(tiles, (before, border - before) * 2, mode="replicate")
    detail = torch.round(transform @ wide @ transform.T / coarseness) * coarseness
    inside = slice(before, before + SIZE)
    return (transform.T @ detail @ transform)[..., inside, inside]
