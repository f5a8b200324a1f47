"""Where the test of the installed package gets what Pitboss asks for; there may be none."""

MISSING = "no package index; Pitboss was not installed anew"
