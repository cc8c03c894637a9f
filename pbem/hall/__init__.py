"""Where the wings meet: the sweep, the proofs, the demo."""
