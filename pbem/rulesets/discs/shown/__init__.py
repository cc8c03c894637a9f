"""What people are shown: forms, receipts, maps and pictures."""
