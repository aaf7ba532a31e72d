"""What a fold remembers, as bytes and back: plain values, and objects of a few classes with all that they hold.

Only the classes that are named come back, so bytes from elsewhere can build nothing else; a checksum finds what a disk
has changed.
"""

from __future__ import annotations

import enum
import sys
import zlib
from array import array
from collections.abc import Mapping
from typing import Any

import msgspec

_LIST, _TUPLE, _DICT, _ENUM, _OBJECT, _LONG, _ARRAY = range(7)
_CHECK_BYTES = 4
_WORD = 1 << 63
_SCALARS = {type(None), bool, int, float, str, bytes}


class Freezer:
    """Freezes values; objects of these classes, by name, with the attributes in their `__slots__`, or else all."""

    def __init__(self, *classes: type) -> None:
        self._classes: Mapping[str, type] = {kind.__name__: kind for kind in classes}
        slots = [f"{name}:{','.join(_slots(kind))}" for name, kind in self._classes.items()]
        self.layout = ";".join([sys.byteorder, *slots])
        """Changes when the classes' slots do, or the order of bytes in arrays."""

    def freeze(self, value: object, *key: str) -> bytes:
        """The value as bytes, floats to the last digit and dictionaries in their order. Raises TypeError.

        `key` says what it is the value of; it thaws for that only.
        """
        return seal(self.pack(value), *key)

    def thaw(self, data: bytes, *key: str) -> Any:
        """The value that was frozen. Raises ValueError for bytes that are none, or another's."""
        return self.unpack(unsealed(data, *key))

    def pack(self, value: object) -> bytes:
        """As `freeze`, but not yet sealed: the same bytes for the same values."""
        try:
            data = _encoder.encode(self._plain(value))
        except OverflowError:
            data = _encoder.encode(_spelt(self._plain(value)))
        return zlib.compress(data, 1)

    def unpack(self, data: bytes) -> Any:
        """The value that was packed. Raises ValueError for bytes that are none."""
        try:
            return self._value(_decoder.decode(zlib.decompress(data)))
        except (zlib.error, msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this is nothing frozen: {error}") from None

    def _plain(self, value: object) -> object:
        if type(value) in _SCALARS:
            return value
        if type(value) is tuple or type(value) is list:
            what = _TUPLE if type(value) is tuple else _LIST
            return [what, *(value if _SCALARS.issuperset(map(type, value)) else map(self._plain, value))]
        if type(value) is dict:
            return [_DICT, *(self._plain(one) for pair in value.items() for one in pair)]
        if type(value) is array:
            return [_ARRAY, value.typecode, value.tobytes()]
        return self._plain_object(value)

    def _plain_object(self, value: Any) -> list[object]:
        kind = type(value)
        if self._classes.get(kind.__name__) is not kind:
            raise TypeError(f"{kind.__name__} is not among what can be frozen")
        if isinstance(value, enum.Enum):
            return [_ENUM, kind.__name__, value.value]
        if isinstance(value, dict):  # a Counter, say
            return [_OBJECT, kind.__name__, self._plain(dict(value))]
        held = [getattr(value, name) for name in _slots(kind)] or [vars(value)]
        return [_OBJECT, kind.__name__, *map(self._plain, held)]

    def _value(self, plain: Any) -> Any:
        if type(plain) is not list:
            return plain
        what, *rest = plain
        if what == _OBJECT:
            return self._object(*rest)
        if what == _DICT:
            values = map(self._value, rest)
            return dict(zip(values, values, strict=True))
        if what == _TUPLE:
            return tuple(map(self._value, rest))
        if what == _LIST:
            return [self._value(one) for one in rest] if list in map(type, rest) else rest
        if what == _ARRAY:
            return array(rest[0], rest[1])
        return self._classes[rest[0]](rest[1]) if what == _ENUM else int(rest[0])

    def _object(self, name: str, *held: object) -> Any:
        kind: Any = self._classes[name]
        if issubclass(kind, dict):
            return kind(self._value(held[0]))
        made = kind.__new__(kind)
        slots = _slots(kind)
        attributes: Mapping[str, Any] = dict(zip(slots, map(self._value, held), strict=True)) if slots else {}
        for attribute, value in (attributes or self._value(held[0])).items():
            setattr(made, attribute, value)
        return made


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder()


def _spelt(plain: object) -> object:
    """The same with integers beyond 64 bits as text."""
    if type(plain) is int and not -_WORD <= plain < _WORD:
        return [_LONG, str(plain)]
    return list(map(_spelt, plain)) if isinstance(plain, list) else plain


def seal(data: bytes, *key: str) -> bytes:
    """What was packed, with a checksum by which changes show, and whether it is this key's."""
    return _check(data, key) + data


def unsealed(data: bytes, *key: str) -> bytes:
    """What was sealed for this key. Raises ValueError for bytes that were changed, or are another's."""
    check, data = data[:_CHECK_BYTES], data[_CHECK_BYTES:]
    if _check(data, key) != check:
        raise ValueError("the checksum is wrong")
    return data


def _check(data: bytes, key: tuple[str, ...]) -> bytes:
    seal = zlib.crc32(_encoder.encode(key)) if key else 0
    return zlib.crc32(data, seal).to_bytes(_CHECK_BYTES, "little")


def _slots(kind: type) -> list[str]:
    return list(getattr(kind, "__slots__", ()))
