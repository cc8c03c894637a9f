"""What can be seen as things stand: places looked up, tests answered, what a line comes to; changes nothing."""
