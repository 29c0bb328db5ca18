"""What to do with the old memory when a new one comes: wording, decision, timelines, weights, corrections."""
