package diffview

import (
	"bytes"
	"hash/maphash"
)

// An interner numbers lines: equal bytes get the same number.
type interner struct {
	seed   maphash.Seed
	slots  []int32 // number + 1 by hash, 0 is free
	hashes []uint64
	lines  [][]byte
}

// newInterner makes one with room for n different lines.
func newInterner(n int) *interner {
	size := 16
	for size < n*2 {
		size *= 2
	}
	return &interner{
		seed: maphash.MakeSeed(), slots: make([]int32, size),
		// Of two versions of a file, one holds nearly all lines.
		hashes: make([]uint64, 0, n/2+n/16), lines: make([][]byte, 0, n/2+n/16),
	}
}

func (in *interner) number(line []byte) int32 {
	hash := maphash.Bytes(in.seed, line)
	mask := uint64(len(in.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		n := in.slots[at]
		if n == 0 {
			in.hashes = append(in.hashes, hash)
			in.lines = append(in.lines, line)
			in.slots[at] = int32(len(in.lines))
			return int32(len(in.lines)) - 1
		}
		if n--; in.hashes[n] == hash && bytes.Equal(in.lines[n], line) {
			return n
		}
	}
}
