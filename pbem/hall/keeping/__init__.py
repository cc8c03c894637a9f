"""What the operator of an arena needs: its health, what became of each mail, a doctor, and a first account."""
