"""Tests of the kit that reads orders, on a small game of its own."""
