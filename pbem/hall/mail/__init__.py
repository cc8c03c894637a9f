"""Mail on its way through the hall: taken in, put on the desk, letters filed and sent."""
