#!/usr/bin/env bash
# Bad command lines of all kinds: status 2, one sentence, nothing on stdout.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

range=(--from 1 --to 2)

refuses 2 "no command given"
refuses 2 "unknown command 'serach'" serach exp "${range[@]}"
refuses 2 "unknown command '--bogus'" --bogus
refuses 2 "unexpected argument 'now'" --version now
refuses 2 "unknown command 'nothing'" help nothing
refuses 2 "no function given" search
refuses 2 "unknown function 'expp'" search expp "${range[@]}"
refuses 2 "unknown function ''" search '' "${range[@]}"
refuses 2 "unexpected argument 'log'" search exp log "${range[@]}"
refuses 2 "unknown option '--bogus'" search exp "${range[@]}" --bogus=3
refuses 2 "unknown option '-x'" search exp "${range[@]}" -x
refuses 2 "unexpected argument 'cpu'" devices cpu
TMD=$TMD_LAB refuses 2 "no measurement given"
TMD=$TMD_LAB refuses 2 "unknown measurement 'speed'" speed
refuses 2 "unknown option '--bogus'" devices --bogus
refuses 2 "--ledger takes no value" search exp "${range[@]}" --ledger=yes
refuses 2 "--to needs a value" search exp --from 1 --to
refuses 2 "tmd: -o needs a value" plot exp.jsonl -o
refuses 2 "--journal and --wc name the same file, 'a'" search exp "${range[@]}" --wc a --journal ./a
refuses 2 "--journal and --json name the same file, 'b'" search exp "${range[@]}" --wc a --json b --journal b
for value in 10 lines json: lines:0 json:-1 xml:10 lines:ten json:1e9; do
  refuses 2 "--progress takes lines:SECONDS or json:SECONDS, with 0.1 to 86400 seconds, not '$value'" \
    search exp "${range[@]}" --progress "$value"
done

# For expressions, the sentence names the column of the mistake.
refuses 2 "'log(1+exp(x)', column 4: '(' without ')'" search 'log(1+exp(x)' "${range[@]}"
refuses 2 "'1+exq(x)', column 3: unknown function 'exq'; " search '1+exq(x)' "${range[@]}"
TMD=$TMD_LAB refuses 2 "did you mean 'exp'?" wide '1+exq(x)' "${range[@]}"
refuses 2 "'2*pi' is a constant" search '2*pi' "${range[@]}"
refuses 2 "log(x-1) has no value at 0x1p+0" search 'log( x-1 )' "${range[@]}"
refuses 2 "1/x has no value at 0x0p+0: choose another range" compare 1/x --from 0 --to 1

# The hint names the command's own help.
refuses 2 "Try \`tmd search --help\`." search
refuses 2 "Try \`tmd devices --help\`." devices --bogus
refuses 2 "Try \`tmd --help\`." serach

# Mistakes in the range.
TMD=$TMD_LAB refuses 2 "--from is missing" phase1 exp --to 2
TMD=$TMD_LAB refuses 2 "--to is missing" phase1 exp --from 1
refuses 2 "the range is empty" search log --to 0
refuses 2 "unknown values 'bounded'" search exp "${range[@]}" --values bounded
refuses 2 "cases are to be expected, more than 10000000" search exp "${range[@]}" --bits 1
refuses 2 "--most-cases" search exp "${range[@]}" --most-cases 0
refuses 2 "the range is empty" search exp --from 1 --to 1
refuses 2 "the range is empty" search exp --from 2 --to 1
refuses 2 "the range is empty" search exp --from -0 --to 0
refuses 2 "--from: 'one' is not a number" search exp --from one --to 2
refuses 2 "--to: '' is not a number" search exp --from 1 --to ''
refuses 2 "--to: '2 3' is not a number" search exp --from 1 --to '2 3'
refuses 2 "--from: 'nan' is not a number" search exp --from nan --to 2
refuses 2 "--to: a bound must be finite" search exp --from 1 --to inf
refuses 2 "--from: a bound must be finite" search exp --from -inf --to 2
refuses 2 "--to: 0.1 is not a number of binary64 with 53 bits; the nearest is 0x1.999999999999ap-4" \
  search exp --from 0 --to 0.1
refuses 2 "the nearest is -0x1.999999999999ap-4" search exp --from -0.1 --to 1
refuses 2 "is not a number of binary64 with 53 bits" search exp --from 1 --to 0x1.00000000000008p+0
refuses 2 "is not a number of binary64 with 12 bits" search exp --from 1 --to 0x1.001p+0 --argument-precision 12
refuses 2 "is not a number of binary32 with 24 bits" search exp --from 1 --to 0x1.0000001p+0 --format binary32
refuses 2 "the nearest is 0x0p+0" search exp --from -1 --to 0x1p-1076
refuses 2 "the nearest is 0x0p+0" search exp --from -1 --to 1e-99999999999999999999
refuses 2 "--to: 0x1p+1025 is beyond the largest number of binary64" search exp --from 1 --to 0x1p+1025
refuses 2 "--to: 65537 is beyond the largest number of binary16" search exp --from 1 --to 65537 --format binary16
refuses 2 "is beyond the largest number" search exp --from 1 --to 1e400
refuses 2 "outside the domain of log: x > 0" search log --from 0 --to 1
refuses 2 "outside the domain of log: x > 0" search log --from -2 --to -1
refuses 2 "outside the domain of log: x > 0" search log --from=-1 --to 1

# Mistakes in names and integers.
refuses 2 "unknown format 'binary128'; known are" search exp "${range[@]}" --format binary128
refuses 2 "unknown format 'p65'" search exp "${range[@]}" --format p65
refuses 2 "unknown format 'p1'" search exp "${range[@]}" --format p1
refuses 2 "unknown rounding 'up'; known are all, directed and nearest" search exp "${range[@]}" --rounding up
refuses 2 "unknown algorithm 'quantum'; known are auto, phase, fractions, roots, wide" search exp "${range[@]}" --algorithm quantum
refuses 2 "unknown deployment 'four'; known are" search exp "${range[@]}" --deployment four
refuses 2 "unknown compaction 'none'; known are" search exp "${range[@]}" --compaction none
refuses 2 "unknown way to make polynomials 'none'; known are" search exp "${range[@]}" --polynomials none
for bits in 0 -3 121 4.5 many '' 99999999999999999999; do
  refuses 2 "--bits must be an integer from 1 to 120, not '$bits'" search exp "${range[@]}" --bits "$bits"
done
for precision in 1 66 x -5; do
  refuses 2 "--argument-precision must be an integer from 2 to 65, not '$precision'" \
    search exp "${range[@]}" --argument-precision "$precision"
done
refuses 2 "--domain-bits must be an integer" search exp "${range[@]}" --domain-bits 99
refuses 2 "--host-threads must be an integer" search exp "${range[@]}" --host-threads 0

# Only searches take several devices.
refuses 2 "--device all names every device: give no other beside it" search exp "${range[@]}" --device all --device 0
refuses 2 "--device all names every device" search exp "${range[@]}" --device all --device all
for measurement in phase1 polynomials divergence wide; do
  TMD=$TMD_LAB refuses 2 "this command uses one device" "$measurement" exp "${range[@]}" --device 0 --device 1
  TMD=$TMD_LAB refuses 2 "this command uses one device" "$measurement" exp "${range[@]}" --device all
done

# Mistakes in tunables.
refuses 2 "--set takes NAME=VALUE, not 'phase1.items'" search exp "${range[@]}" --set phase1.items
for setting in phase1.items= phase1.items=1x phase1.items=0 phase1.items=99999999999999999999; do
  refuses 2 "phase1.items must be an integer from 1 to 4096, not '${setting#*=}'" search exp "${range[@]}" --set "$setting"
done
refuses 2 "unknown tunable 'bogus'" search exp "${range[@]}" --set bogus=1
refuses 2 "unknown phase1.division 'guess'; known are" search exp "${range[@]}" --set phase1.division=guess
refuses 2 "plan.domain-bits-offset must be an integer from -4 to 4, not '5'" \
  search exp "${range[@]}" --set plan.domain-bits-offset=5
refuses 2 "wide.group-bits-offset must be an integer from -4 to 4, not '-5'" \
  search exp "${range[@]}" --set wide.group-bits-offset=-5
refuses 2 "wide.denominator-percent must be an integer from 10 to 1000, not '9'" \
  search exp "${range[@]}" --algorithm wide --set wide.denominator-percent=9
refuses 2 "wide.items must be an integer from 1 to 4096, not '0'" search exp "${range[@]}" --set wide.items=0
refuses 2 "unknown wide.order 'random'; known are given, by-lines" search exp "${range[@]}" --set wide.order=random
refuses 2 "unknown wide.vector-width '3'; known are 1, 2, 4, 8, 16" search exp "${range[@]}" --set wide.vector-width=3
TMD=$TMD_LAB refuses 2 "--repeats must be an integer from 1 to 1000, not '0'" wide exp "${range[@]}" --repeats 0

# A bound far beyond what is searched is refused at once, not after a day.
for command in "--dry-run" ""; do
  # shellcheck disable=SC2086  # words
  refuses 2 "exp(0x1.62e4" search exp --from 1 --to 2^1000 $command
  grep -q -- "--values format" err || fail "it is not said that values of the format need no limit"
done
