"""What `step` and `reset` return, in the library and in classes of the project, and where it goes."""
