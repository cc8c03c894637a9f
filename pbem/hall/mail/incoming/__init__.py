"""Mail on its way in: whose it is, what it becomes in its game, and the desk for all that becomes nothing there."""
