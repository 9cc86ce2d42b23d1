"""Chat models behind one door: any provider, typed answers, no wire quirk above this room."""
