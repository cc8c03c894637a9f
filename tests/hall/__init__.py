"""Tests of the hall, where the wings meet."""
