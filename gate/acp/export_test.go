package acp

// LimitUnsent sets how many bytes may wait for c's peer.
func LimitUnsent(c *Conn, bytes int) { c.out.limit = bytes }

// LimitLine sets how long a line c reads.
func LimitLine(c *Conn, bytes int) { c.longest = bytes }
