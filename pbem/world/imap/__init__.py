"""An account on an IMAP server as a mailbox, and its bell."""
