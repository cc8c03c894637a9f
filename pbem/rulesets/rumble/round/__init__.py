"""A round, stage by stage, from the costs to the winner."""
