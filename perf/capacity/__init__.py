"""How many machines a load needs, what that costs, and what would be full next."""
