"""What analysts need: simulation, protection, charts, reports, prices of clauses."""
