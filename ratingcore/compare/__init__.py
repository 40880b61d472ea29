"""Methods compared on the same results: forecasts scored, lists held against each other, parameters tuned."""
