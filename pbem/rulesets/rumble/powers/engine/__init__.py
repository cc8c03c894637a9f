"""Powers at work: what an ability sees, takes and does; who is hurt by it is reckoned in the round."""
