//go:build !linux

package hosting

import (
	"errors"
	"os"
)

func parentOf(int) (int, error) { return 0, errors.ErrUnsupported }

func programOf(int) (string, error) { return "", errors.ErrUnsupported }

func runningFile(int) (os.FileInfo, error) { return nil, errors.ErrUnsupported }
