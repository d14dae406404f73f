package acp

// LimitUnsent sets how many bytes may wait for c's peer.
func LimitUnsent(c *Conn, bytes int) { c.out.limit = bytes }

// LimitUnread sets how many bytes may wait for the editor and for the agent.
func LimitUnread(p *Proxy, bytes int) { p.editor.out.limit, p.agent.out.limit = bytes, bytes }

// LimitLine sets how long a line c reads.
func LimitLine(c *Conn, bytes int) { c.longest = bytes }
