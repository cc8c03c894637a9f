"""Programs that play: fast ones for simulations, and the cast of the demonstration, which reads letters like people."""
