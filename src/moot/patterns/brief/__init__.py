"""What the team `brief`, and its Researcher as a role, are made of: a topic in, a sourced report out."""
