"""The live house: tables that people sit at, money in a ledger, a journal that keeps it all."""
