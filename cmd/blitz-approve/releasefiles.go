//go:build releasefiles

package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// What makes the files of a release is built with the tag releasefiles only:
// it brings a library that nobody else needs.
func init() {
	forRelease = func(root *cobra.Command) {
		root.AddCommand(&cobra.Command{
			Use: "release-files DIR", Short: "Write manual pages and shell completions", Hidden: true, Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return writeReleaseFiles(root, args[0]) },
		})
	}
}

func writeReleaseFiles(root *cobra.Command, dir string) error {
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true // the same source gives the same files
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "blitz-approve"}, man); err != nil {
		return err
	}
	if err := root.GenBashCompletionFileV2(filepath.Join(completions, "blitz-approve.bash"), true); err != nil {
		return err
	}
	if err := root.GenZshCompletionFile(filepath.Join(completions, "_blitz-approve")); err != nil {
		return err
	}
	if err := root.GenFishCompletionFile(filepath.Join(completions, "blitz-approve.fish"), true); err != nil {
		return err
	}
	return root.GenPowerShellCompletionFileWithDesc(filepath.Join(completions, "blitz-approve.ps1"))
}
