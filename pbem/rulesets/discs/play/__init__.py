"""Cards turned one by one, and what follows from each."""
