"""What whoever runs an arena needs: its health, a letter about what is odd, a doctor, and a first account."""
