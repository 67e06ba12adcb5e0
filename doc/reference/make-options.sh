#!/usr/bin/env bash
# Writes the page of all options, options.md, from the help texts of a program.
# usage: doc/reference/make-options.sh BUILD/bin/tmd > doc/reference/options.md
# shellcheck disable=SC2016  # back quotes are Markdown here
set -euo pipefail

tmd=${1:?usage: doc/reference/make-options.sh BUILD/bin/tmd}

# Options of a help text on stdin, a line each: name and argument, a tab, what it does. Continuation lines are joined.
options() {
  awk '
    function flush() { if (name != "") print name "\t" text; name = text = "" }
    /^(  -[a-zA-Z], |      )--[a-z]/ {
      flush()
      sub(/^ +/, "")
      at = match($0, /  +/)
      name = at ? substr($0, 1, at - 1) : $0
      text = at ? substr($0, RSTART + RLENGTH) : ""
      next
    }
    name != "" && /^          +[^ ]/ { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
    { flush() }
    END { flush() }' | sed 's/ *$//; s/  */ /g' | grep -v '^-h, --help'
}

cat <<'PAGE'
<!-- Made by doc/reference/make-options.sh from the program's help texts; do not edit. -->
# Options

Every option of every command. `man tmd` says more about each, `tmd COMMAND --help` has the same texts. The options of `tmd
search` are also the keys of [job files](job-files.md). [Exit status](exit-status.md) · [tunables](tunables.md)
PAGE
of_search=$("$tmd" search --help | options)
for command in search resume status merge run show libm sample check verify plot publish functions devices doctor compare tune; do
  printf '\n## tmd %s\n\n' "$command"
  "$tmd" "$command" --help | sed -n '/^Usage:/{n;s/^ *\(.*\)/    \1/p}'
  shared='' opened=''
  while IFS=$'\t' read -r name text; do
    if [[ $command != search ]] && grep -qxF -- "$name"$'\t'"$text" <<<"$of_search"; then
      shared+="${shared:+, }\`${name%% *}\`"
      continue
    fi
    [[ -n $opened ]] || printf '\n| option | meaning |\n|---|---|\n'
    opened=yes
    text=${text//\*/\\*}
    printf '| `%s` | %s |\n' "${name//|/\\|}" "${text//|/\\|}"
  done < <("$tmd" "$command" --help | options)
  [[ -z $shared ]] || printf '\nAs for `tmd search`: %s.\n' "$shared" | fold --spaces --width=120 | sed 's/ *$//'
done
