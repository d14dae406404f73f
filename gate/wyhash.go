package gate

import (
	"encoding/binary"
	"math/bits"
)

// wyhash is the 64-bit Wyhash (final version 4, default secret, seed 0) that
// capped MCP tool names carry. No served library has this version.
func wyhash(data []byte) uint64 {
	const s0, s1, s2, s3 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3
	mum := func(a, b uint64) (lo, hi uint64) { hi, lo = bits.Mul64(a, b); return lo, hi }
	mix := func(a, b uint64) uint64 { lo, hi := mum(a, b); return lo ^ hi }
	r8 := func(p []byte) uint64 { return binary.LittleEndian.Uint64(p) }
	r4 := func(p []byte) uint64 { return uint64(binary.LittleEndian.Uint32(p)) }

	n := len(data)
	seed := mix(s0, s1)
	var a, b uint64
	switch {
	case n == 0:
	case n < 4:
		a = uint64(data[0])<<16 | uint64(data[n>>1])<<8 | uint64(data[n-1])
	case n <= 16:
		q := n >> 3 << 2
		a = r4(data)<<32 | r4(data[q:])
		b = r4(data[n-4:])<<32 | r4(data[n-4-q:])
	default:
		p := data
		if len(p) > 48 {
			see1, see2 := seed, seed
			for len(p) > 48 {
				seed = mix(r8(p)^s1, r8(p[8:])^seed)
				see1 = mix(r8(p[16:])^s2, r8(p[24:])^see1)
				see2 = mix(r8(p[32:])^s3, r8(p[40:])^see2)
				p = p[48:]
			}
			seed ^= see1 ^ see2
		}
		for len(p) > 16 {
			seed = mix(r8(p)^s1, r8(p[8:])^seed)
			p = p[16:]
		}
		a, b = r8(data[n-16:]), r8(data[n-8:])
	}
	lo, hi := mum(a^s1, b^seed)
	return mix(lo^s0^uint64(n), hi^s1)
}
