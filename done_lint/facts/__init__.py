"""What the analysis tells a rule about one file, and how it is read from the solved graph."""
