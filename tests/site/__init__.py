"""Tests of the pages for everybody."""
