"""Tables: what is known of libraries, environments, releases and habits of naming."""
