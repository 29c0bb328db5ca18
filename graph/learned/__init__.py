"""What was fitted on labelled pairs beside the linear model: a small encoder over the packaged model's layers."""
