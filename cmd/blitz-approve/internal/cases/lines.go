package cases

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
)

// A LineAnswer answers one line of cases, which stands where it says: file and
// line.
type LineAnswer func(where string, line []byte) (answer any, ok bool)

// AnswerLines answers each line of the files, or of standard input, with one
// line, in order. When an answer isn't ok the rest goes on, and the error is
// failed.
func AnswerLines(ctx context.Context, files []string, out io.Writer, failed error, answer LineAnswer) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = errors.Join(err, w.Flush()) }()
	ok := true
	if len(files) == 0 {
		ok, err = answerAll(ctx, "standard input", os.Stdin, w, answer)
	}
	for _, name := range files {
		good, err := answerFile(ctx, name, w, answer)
		if err != nil {
			return err
		}
		ok = ok && good
	}
	if err == nil && !ok {
		return failed
	}
	return err
}

func answerFile(ctx context.Context, name string, w io.Writer, answer LineAnswer) (bool, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%s: there is no such file", name)
	} else if err != nil {
		return false, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return false, fmt.Errorf("%s is a folder: name the files of cases in it", name)
	}
	ok, err := answerAll(ctx, name, f, w, answer)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return ok, nil
}

func answerAll(ctx context.Context, name string, in io.Reader, w io.Writer, answer LineAnswer) (bool, error) {
	enc := output.Encoder(w)
	lines := bufio.NewReader(in)
	all := true
	for n := 1; ctx.Err() == nil; n++ {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			a, ok := answer(fmt.Sprintf("%s:%d", name, n), line)
			all = all && ok
			if err := enc.Encode(a); err != nil {
				return false, err
			}
		}
		switch {
		case errors.Is(readErr, io.EOF):
			return all, nil
		case readErr != nil:
			return false, fmt.Errorf("read cases: %w", readErr)
		}
	}
	return false, ctx.Err()
}
