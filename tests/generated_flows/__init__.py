"""Builds small projects whose verdict is known, because it follows from their parts.

A project is a *source* (what the step returns), a *flag* computed from it, *casts*, a *channel* (how the flag flows,
and over which files) and a *sink* (what is computed from it). The rows where the model may report carry a marker:

    # store   the flag is put where a one-step target reads it later
    # cut     the flag, or the mask computed from it, cuts a target or a recursion

A project that is right has the same markers: there they mean nothing. Every choice goes through one function, so
that hypothesis can draw (and shrink) it and a plain random generator can run thousands.
"""
