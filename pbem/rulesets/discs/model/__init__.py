"""What a battle is: Programs, states, house rules, and what a seat can write."""
