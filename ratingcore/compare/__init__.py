"""Methods side by side: honest forecasts scored, lists compared, pools watched, parameters tuned."""
