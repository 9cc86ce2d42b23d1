"""Tools of outside servers, by the Model Context Protocol: what they offer, and calls to them."""
