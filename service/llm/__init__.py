"""The real Judge and Embedder, and the endpoints they (and assistants, through their kit) call."""
