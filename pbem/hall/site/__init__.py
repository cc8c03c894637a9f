"""The site: pages for everybody, made from what the games have told everybody, and from nothing else."""
