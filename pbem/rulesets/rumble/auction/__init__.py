"""All that comes before round 1: the pool of powers, amendments, bids, the sale, and what powers do as they are won."""
