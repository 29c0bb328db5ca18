"""What was fitted on labelled pairs: a linear model over signs, and a small encoder over the packaged model's layers."""
