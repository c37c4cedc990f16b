"""The explorer: every world that a model can reach, breadth first.

It evaluates the readable functions of the model once for each thing that they can tell apart, and
walks the tables that come of it. So what is explored is what is read, and there is no second truth.
"""
