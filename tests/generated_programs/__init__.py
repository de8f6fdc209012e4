"""Builds programs of old Gym that run, from parts that hand an environment and its results on in many ways.

A program is a *world* (what is made), *wrappers* around it, a *place* where it is kept, and *callers* that step it; its
definitions stand in one to four files. Every choice goes through one function, so that hypothesis can draw (and shrink)
it and a plain random generator can run thousands.
"""
