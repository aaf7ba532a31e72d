"""Modules tested here add floats: see tests/float_sums.py."""

from tests.float_sums import no_float_sums as no_float_sums
