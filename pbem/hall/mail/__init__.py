"""Mail on its way through the hall: letters out, and above them mail in, since a mail may be answered."""
