# The pages: their lengths, and the links in them. tests/lint and tests of tests/cli source it.

# list_pages: prints the Markdown files of the documentation, a line each, in the current folder, the repository's root.
list_pages() {
  echo README.md
  echo CONTRIBUTING.md
  find doc -name '*.md' | sort
}

# page_limit PAGE: prints how many lines it may have at most; nothing for proofs, and for pages that a program makes.
page_limit() {
  if [[ $1 != doc/theory/* ]] && ! head --lines=1 "$1" | grep -q '^<!-- Made by '; then echo 150; fi
}

# Prints the anchors of a Markdown file's headings, a line each.
anchors() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# dangling_links FILE: prints its links to files, or to headings in them, that do not exist, a line each.
dangling_links() {
  local link target
  { grep -oE '\]\([^)]+\)' "$1" || true; } | sed 's/^](//; s/)$//; /^[a-z]*:/d' | while IFS= read -r link; do
    target=${link%%#*}
    target=${target:+$(dirname "$1")/$target}
    target=${target:-$1}
    if [[ ! -e $target ]]; then
      echo "$link"
    elif [[ $link == *'#'* ]] && ! anchors "$target" | grep -qxF -- "${link#*'#'}"; then
      echo "$link"
    fi
  done
}
