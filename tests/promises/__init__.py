"""The promises that we make, a file each; its name is the promise."""
