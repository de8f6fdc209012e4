"""Builds small projects whose verdict is known, because it follows from the parts they are made of.

A project is a *birth* (what the step returns), a *flag* made of it, *casts*, a *channel* (how the flag travels, and
over which files) and a *sink* (what is made of it). The rows where the model may report carry a marker:

    # store   the flag is put where a one-step target reads it later
    # cut     the flag, or the mask made of it, cuts a target or a recursion

A project that is right has the same markers: there they say nothing. Every choice goes through one function, so
that hypothesis can draw (and shrink) it and a plain random generator can run thousands.
"""
