"""Papers to hand over: par sheets as workbook and PDF, rules of play, a regulator's submission."""
