"""Where flags cut value targets and recursions over time, and which of these cuts are wrong."""
