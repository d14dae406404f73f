package shell

import "testing"

// A rule for sed, awk or git that leaves its words open doesn't mean those by
// which they run another program (APR-15).
func TestLaunches(t *testing.T) {
	for _, tt := range []struct {
		line     string
		launches bool
	}{
		{"sed -n '1,5p' f", false},
		{"sed -i.bak -e s/e/w/ -e '/x/d' f", false},
		{"sed -n '1e id' f", true},
		{"sed s/a/b/e f", true},
		{"sed -e p -e 's/a/b/w out' f", true},
		{"sed --expression='1e id' f", true},
		{"sed -i '' s/a/b/ f", false},
		{"sed -i '' 's/a/b/w out' f", true},
		{"sed '' f", false},
		{"sed -f script f", true},
		{"sed -nf script f", true},
		{"sed --odd p f", true},
		{"sed 's/a' f", true},
		{"awk '{print $1}' f", false},
		{`awk -F'|' '$3 > 5 || /a|b/ {print $1 " | " "system" == 1}' f`, true}, // the word is enough
		{`awk -F'|' '$3 > 5 || /a|b/ {print $1 " | "; s = $1/2; t = s/3}' f`, false},
		{`awk '{gsub(/[/]|x/, "@"); print (1)}' f`, false},
		{`awk 'BEGIN{system("id")}'`, true},
		{`awk 'BEGIN{"id" | getline x}'`, true},
		{`awk '{print | "sh"}' f`, true},
		{`awk '{printf "%s", $1 >> "out"}' f`, true},
		{`awk '{f = "sys" "tem"; @f("id")}'`, true},
		{`awk '{a = b / c; print $1 | "sh"; d = e / f}'`, true},
		{`awk '{a /= b; print $1 | "sh"; d /= e}'`, true},
		{`awk '/a|b/ || x ~ /c|d/ && ! /e>f/ {print} ; /g|h/'`, false},
		{"awk '{print $1,\n $2 > \"out\"}' f", true},
		{`awk '{x = $1 / 2; "id" | getline r; y = $2 / 3}' f`, true},
		{`awk '{x = $(1) / 2; "id" | getline r; y = $2 / 3}' f`, true},
		{`awk '{x = a[1]/2; "id" | getline r; y = n++ / 3; "id" | getline; z = 1 / 3}' f`, true},
		{`awk '{x = n++ / 2; "id" | getline; z = 1 / 3}' f`, true},
		{`awk '{x = "4" / 2; "id" | getline; z = 1 / 3}' f`, true},
		{`awk '{if (1) /"/; "id" | getline; x = "a"}' f`, true},
		{`awk '/[/"]/ {"id" | getline; x = "/"}' f`, true},
		{`awk '/[\]/ x]~/ {"id" | getline; x = "/"}' f`, true},
		{"awk '# \"\nBEGIN {\"id\" | getline} # \"' f", true},
		{"awk '{print $1 \\\n > \"out\"}' f", true},
		{"awk '{ # a|b > c\n print $1 # > x\n}' f", false},
		{`awk '{s += $1; n++} END {print s / n, (s) / 2}' f`, false},
		{"awk '$1 ~ /a|b/ && !/c|d/ {print $1/2 \"|\" $2/3}\n/e|f/' f", false},
		{"awk -f prog f", true},
		{"gawk --load=x '{print}'", true},
		{`gawk -e '{print | "sh"}' f`, true},
		{"git config user.name", false},
		{"git config --global --get-regexp x", false},
		{"git config list", false},
		{"git config alias.x '!id'", true},
		{"git config --unset-all core.pager", true},
		{"git -C x config core.pager less", true},
		{"git rebase main", false},
		{"git rebase -x id main", true},
		{"git rebase --exec=id main", true},
		{"git clean -xn", false},
		{"git bisect start", false},
		{"git bisect run id", true},
		{"git submodule update", false},
		{"git submodule --quiet foreach id", true},
		{"git difftool -xid", true},
		{"git clone -c core.fsmonitor=id u", true},
		{"git clone -qc core.fsmonitor=id u", true},
		{"git clone -qb c u", false},
		{"git rebase -ix id main", true},
		{"git rebase -Xours main", false},
		{"git difftool -yx id", true},
		{"git config edit", true},
		{"git fetch 'ext::sh -c id'", true},
		{"git filter-branch --tree-filter id", true},
		{"git send-email --to-cmd=id x", true},
		{"man ls", false},
		{"man -P id ls", true},
		{"wget -qO- u", false},
		{"wget -e use_proxy=yes u", true},
		{"curl -fsSLo f u", false},
		{"curl -sK conf u", true},
	} {
		c := &Read(tt.line).Commands[0]
		if got := c.Launches(); (len(got) > 0) != tt.launches {
			t.Errorf("%s launches by %q", tt.line, got)
		}
	}
}
