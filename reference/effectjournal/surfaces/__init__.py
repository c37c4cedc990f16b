"""Where a session's notice is shown, and what is known of its way to the reader (D-7 to D-10)."""
