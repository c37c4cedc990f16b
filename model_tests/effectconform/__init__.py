"""The suite that runs against somebody's implementation, through its adapter alone."""
