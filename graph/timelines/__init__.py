"""What becomes of the old memory when a new one comes: decision, timelines, standing, corrections."""
