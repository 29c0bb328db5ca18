"""What a statement says: text in, reading out. Word lists and learned weights, no rules about what follows."""
