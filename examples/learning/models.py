"""Two small models that go on with a sequence: a transformer and a recurrent one, both from random weights."""

import torch
from torch import nn
from torch.nn import functional as F

# How many tokens before it a place is mixed with, before it looks around.
REACH = 3


def turned(x: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Rotary positions (Su et al. 2021): `x` has batch, heads, length, width, and `places` batch and length."""
    half = x.shape[-1] // 2
    speed = 10_000 ** (-torch.arange(half, device=x.device) / half)
    angle = places[:, None, :, None] * speed
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


class Block(nn.Module):
    """Attention and two layers, as usual; what is looked for is a short causal convolution, a weight a channel and distance (So et
    al. 2021, Primer). Small models then find within some thousand steps what came after a word earlier, and not at all else."""

    def __init__(self, width: int, heads: int, placed: bool):
        super().__init__()
        self.heads, self.placed = heads, placed
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.near = nn.Parameter(0.3 * torch.randn(REACH, width))
        self.look, self.join = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.think = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, places, mask, past, real=None):
        """`past`: keys, values and the last places of what was read before; `real`: where a token stands, not padding."""
        batch, length, width = x.shape
        read = self.before(x)
        if real is not None:
            read = read * real[..., None]
        last = read.new_zeros(batch, REACH, width) if past is None else past[2]
        read = torch.cat([last, read], 1)
        mixed = read[:, REACH:]
        for back in range(1, REACH + 1):
            mixed = mixed + self.near[back - 1] * read[:, REACH - back : REACH - back + length]
        parts = self.look(mixed).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = (part.transpose(1, 2) for part in parts.unbind(2))
        if self.placed:
            query, key = turned(query, places), turned(key, places)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=mask is None)
        x = x + self.join(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.think(self.between(x)), (key, value, read[:, -REACH:])


class Transformer(nn.Module):
    """A decoder: each place sees those before it. `placed`: does it know how far? Otherwise only the convolutions tell what is near, and
    no distance is longer than any it was trained with (Kazemnejad et al. 2023)."""

    def __init__(self, tokens: int, width: int, layers: int, heads: int, placed: bool = True):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(Block(width, heads, placed) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        nn.init.normal_(self.embed.weight, std=0.02)

    def forward(self, tokens):
        """The scores of what comes after each place: batch, length, tokens. Padding stands behind."""
        places = torch.arange(tokens.shape[1], device=tokens.device).expand(tokens.shape)
        x = self.embed(tokens)
        for block in self.blocks:
            x, _ = block(x, places, None, None)
        return F.linear(self.last(x), self.embed.weight)

    def compile_parts(self):
        """Has the blocks compiled for training, once for all of them and for any length."""
        for block in self.blocks:
            block.compile(dynamic=True)

    @torch.no_grad()
    def go_on(self, prompts: torch.Tensor, lengths: torch.Tensor, most: int, end: int) -> torch.Tensor:
        """What the model goes on with, the likeliest token each time. Padding of the prompts stands behind them."""
        batch, longest = prompts.shape
        # Moved to the right, so that all prompts end at the same place.
        shift = longest - lengths
        index = torch.arange(longest, device=prompts.device)[None] - shift[:, None]
        tokens = prompts.gather(1, index.clamp(min=0))
        real = index >= 0
        places = index.clamp(min=0)
        causal = torch.ones(longest, longest, dtype=torch.bool, device=prompts.device).tril()
        # Places before a prompt see themselves, so that nothing is divided by zero; nobody else sees them.
        mask = (causal & real[:, None, :]) | torch.eye(longest, dtype=torch.bool, device=prompts.device)
        past, out = [None] * len(self.blocks), []
        x, mask, here = self.embed(tokens), mask[:, None], real
        done = torch.zeros(batch, dtype=torch.bool, device=prompts.device)
        for step in range(most):
            for number, block in enumerate(self.blocks):
                # As it was before it was compiled, since here each step is of another shape.
                x, past[number] = block.forward(x, places, mask, past[number], here)
            token = F.linear(self.last(x[:, -1]), self.embed.weight).argmax(-1)
            out.append(token.masked_fill(done, end))
            done |= token == end
            if done.all():
                break
            real = torch.cat([real, torch.ones(batch, 1, dtype=torch.bool, device=real.device)], 1)
            x, places, mask, here = self.embed(token)[:, None], (lengths + step)[:, None], real[:, None, None, :], None
        return torch.stack(out, 1)


class Recurrent(nn.Module):
    """Gated recurrent units: what was read so far is a vector of fixed size."""

    def __init__(self, tokens: int, width: int, layers: int):
        super().__init__()
        self.embed = nn.Embedding(tokens, width)
        self.read = nn.GRU(width, width, layers, batch_first=True)
        self.last = nn.LayerNorm(width)
        nn.init.normal_(self.embed.weight, std=0.02)

    def forward(self, tokens):
        return F.linear(self.last(self.read(self.embed(tokens))[0]), self.embed.weight)

    def compile_parts(self):
        """There is nothing to compile."""

    @torch.no_grad()
    def go_on(self, prompts: torch.Tensor, lengths: torch.Tensor, most: int, end: int) -> torch.Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embed(prompts), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        _, state = self.read(packed)
        seen, out = state[-1], []
        done = torch.zeros(len(prompts), dtype=torch.bool, device=prompts.device)
        for _ in range(most):
            token = F.linear(self.last(seen), self.embed.weight).argmax(-1)
            out.append(token.masked_fill(done, end))
            done |= token == end
            if done.all():
                break
            read, state = self.read(self.embed(token)[:, None], state)
            seen = read[:, 0]
        return torch.stack(out, 1)
