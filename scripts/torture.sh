#!/usr/bin/env bash
# Does what users and machines do to a program at the worst moment, and holds the outcome against an undisturbed run.
#
#   scripts/torture.sh              100 kills, 1,000 short runs eight at a time, a minute of fuzzing each parser
#   KILLS=10 RUNS=50 FUZZ_SECONDS=5 scripts/torture.sh
#
# 1. Runs are ended with SIGKILL after a random time and resumed, until they are complete: the bytes must be those of a
#    run that nobody disturbed. Items of a domain, tasks of games and rule sets take turns.
# 2. Short runs of all kinds in eight processes at once: none may crash, and equal commands must write equal bytes.
# 3. `make fuzz`.
#
# The last lines say what was done. The exit code is 1 if anything went wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

KILLS=${KILLS:-100}
RUNS=${RUNS:-1000}
racgen=$PWD/${RACGEN:-${CARGO_TARGET_DIR:-target}/release/racgen}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
fault() {
    printf 'torture: %s\n' "$*" >&2
    wrong=$((wrong + 1))
}

# All files of a folder with their hashes; the manifest names the command, which differs.
hashes() { (cd "$1" && find . -type f ! -name manifest.json ! -name README.md -print0 | sort -z | xargs -0 sha256sum); }

commands=(
    "--domain dwr --level 1-3 --depth 3 --items 6000 --rows-per-file 500 --threads 2 --quiet"
    "games all --traces 60 --threads 2 --quiet"
    "rules suite v0 --questions 5 --threads 2 --quiet"
)

# ------------------------------------------------------------------------------------------------------- 1. kills

kills=0
completed=0
for number in "${!commands[@]}"; do
    read -ra words <<<"${commands[$number]}"
    begin=$(date +%s%N)
    "$racgen" "${words[@]}" --out "$work/whole$number"
    took=$((($(date +%s%N) - begin) / 1000000))
    hashes "$work/whole$number" >"$work/whole$number.txt"
    share=$(((KILLS + ${#commands[@]} - 1) / ${#commands[@]}))
    while [ "$share" -gt 0 ]; do
        rm -rf "$work/killed"
        # Kills until one run comes to its end; each run is killed after a random part of the time that a whole one takes.
        while :; do
            "$racgen" "${words[@]}" --out "$work/killed" --resume 2>"$work/told" &
            child=$!
            if [ "$share" -gt 0 ]; then
                wait_ms=$((RANDOM * took / 2 / 32768))
                sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
                if kill -9 "$child" 2>/dev/null; then
                    kills=$((kills + 1))
                    share=$((share - 1))
                    wait "$child" 2>/dev/null || true
                    continue
                fi
            fi
            if wait "$child"; then break; fi
            # A run that had come to its end before it was killed leaves a finished folder.
            if grep -q "holds a finished" "$work/told"; then break; fi
            fault "\`${commands[$number]} --resume\` failed after a kill: $(cat "$work/told")"
            break
        done
        completed=$((completed + 1))
        if ! diff -q <(hashes "$work/killed") "$work/whole$number.txt" >/dev/null; then
            fault "\`${commands[$number]}\`: killed and resumed, the files differ"
            diff <(hashes "$work/killed") "$work/whole$number.txt" | head -5 >&2 || true
        fi
    done
done

# --------------------------------------------------------------------------------------------------- 2. short runs

short=(
    "--domain blocks --items 20" "--domain logistics --items 20" "--domain dwr --items 20 --rationale"
    "--domain generic --items 20" "--domain blocks --items 20 --as generic" "check blocks"
    "games types games/buttons_and_lights.kif" "rules --category rdg --size XS"
)
run_short() {
    local number=$1 words out code=0
    read -ra words <<<"${short[$((number % ${#short[@]}))]}"
    out=$work/short/$number
    case ${words[0]} in
    check | games) "$racgen" "${words[@]}" >"$out.txt" 2>&1 || code=$? ;;
    *) "$racgen" "${words[@]}" --threads 8 --quiet --out "$out" >"$out.txt" 2>&1 || code=$? ;;
    esac
    # 128 and more: a signal ended it.
    if [ "$code" -ne 0 ]; then
        echo "torture: \`${words[*]}\` ended with $code: $(tail -n 1 "$out.txt")" >&2
        return 1
    fi
    if [ -d "$out" ]; then
        hashes "$out" | sha256sum >>"$work/short.$((number % ${#short[@]}))"
    fi
    rm -rf "$out" "$out.txt"
}
export -f run_short hashes
mkdir "$work/short"
export work racgen
declare -p short >"$work/short.list"
seq 0 $((RUNS - 1)) |
    xargs -P 8 -I{} bash -c "source '$work/short.list'; run_short {}" || fault "of $RUNS short runs, some failed"
for file in "$work"/short.[0-9]*; do
    [ -e "$file" ] || continue
    [ "$(sort -u "$file" | wc -l)" = 1 ] || fault "\`${short[${file##*.}]}\` wrote other bytes at other times"
done

# -------------------------------------------------------------------------------------------------------- 3. fuzz

if [ "${FUZZ_SECONDS:-60}" != 0 ]; then
    make fuzz FUZZ_SECONDS="${FUZZ_SECONDS:-60}" || fault "a parser failed"
fi

printf 'torture: %d kills, %d runs completed after them and compared; %d short runs, eight at a time; %d faults\n' \
    "$kills" "$completed" "$RUNS" "$wrong"
[ "$wrong" = 0 ]
