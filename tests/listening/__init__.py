"""The listening room: mails as people and programs write them, and how well the sweep understands them."""
