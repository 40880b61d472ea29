"""The service `ratingcore_service`, asked without a server."""
