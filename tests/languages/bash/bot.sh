#!/usr/bin/env bash
# A bot of bash, curl and jq: events by long polls, answers by calls, all of it JSON over HTTP.
#
#   AZULEJO_SERVER     http://127.0.0.1:7700 unless given
#   AZULEJO_TOKEN      the bot's token; without one AZULEJO_NAME, OWNER/NAME, is registered
#   AZULEJO_GAME       azul or summer-pavilion, for two players; unless given, any table
#   AZULEJO_MATCHES    ends after so many
#
# A session begins with a snapshot that tells how things stand. So whenever something is lost or
# refused, the bot begins a new one and goes on from there.
set -uo pipefail

server=${AZULEJO_SERVER:-http://127.0.0.1:7700}
token=${AZULEJO_TOKEN:-}
matches=${AZULEJO_MATCHES:-0}
case ${AZULEJO_GAME:-} in
    azul) rulesets='{"azul":{"side":"BOARD_SIDE_COLORED","players":2}}' ;;
    summer-pavilion) rulesets='{"summerPavilion":{"side":"BOARD_SIDE_COLORED","players":2}}' ;;
    *) rulesets='' ;;
esac
session='' after=0 offered=''
declare -A nonces=() played=()

# What to do about the answer to a poll, a line each. Of the legal moves: a long line rather than a
# short one or the floor, a dear space rather than a cheap one or a pass.
readonly TO_DO='
    def worth: .move.azul.take.line // .move.summerPavilion.place.space // 0;
    def ready: ["ready", .match.id];
    def decide: ["decide", .matchId, .turn, (.legalMoves | max_by(worth).actionId)];
    def place: .match.result.seats[.seat].placement;
    def ended: ["ended", .match.id, .match.status, .match.pool.name, place];
    def seating: (.starting | values | ready), (.turn | values | decide);
    def snapshot: (.seatings[] | seating), (.ended[] | ended);
    ["session", .session],
    (.events[] |
        (.snapshot | values | snapshot),
        (.matchStarting | values | ready),
        (.turn | values | decide),
        (.matchEnded | values | ended),
        (.ping | values | ["beat", .number]),
        (.goingAway | values | ["session", ""]),
        (.replaced | values | ["replaced"]),
        ["seen", .seq]) | @tsv'

# call SERVICE/METHOD MESSAGE: the answer. The token is nothing for the list of processes.
call() {
    curl --silent --fail-with-body --max-time 30 --data-binary "$2" \
        --header 'content-type: application/json' \
        --header @<([ -z "$token" ] || printf 'authorization: Bearer %s\n' "$token") \
        "$server/azulejo.arena.v1.$1"
}

# say METHOD MESSAGE: what comes too late (another turn is due, the match is over) is forgotten.
say() {
    local answer
    answer=$(call "PlayService/$1" "$2") && return
    echo "$1: ${answer:-no answer}" | cut -c 1-200
    [[ $answer =~ '"code":"'(aborted|failed_precondition|not_found) ]] || session=''
}

# One match at a time, and none beyond the last. The offer is said when it changes.
poll() {
    local offer=1 hello=''
    ((matches == 0 || ${#nonces[@]} < matches)) || offer=0
    [ -n "$session" ] || after=0
    if [ -z "$session" ] || [ "$offer" != "$offered" ]; then
        hello='"hello":{"version":"1","sdk":"curl","offer":{"rulesets":['$rulesets'],
            "timeClasses":["TIME_CLASS_BLITZ","TIME_CLASS_RAPID"],
            "gamesAtOnce":'$offer',"acceptsChallenges":true}},'
    fi
    answer=$(call PlayService/NextEvents \
        "{$hello\"session\":\"$session\",\"after\":\"$after\",\"wait\":\"$1\"}") && offered=$offer
}

# A new session, unless it is of no use.
begin_anew() {
    if [[ $answer =~ REPLACED|unauthenticated ]]; then
        echo "$answer" >&2
        exit 1
    fi
    session=''
    sleep "0.$((RANDOM % 5 + 3))"
}

act() {
    case $1 in
        session) session=${2:-} ;;
        seen) after=$2 ;;
        ready)
            # The same nonce if it is said again.
            : "${nonces[$2]:=$(head -c 32 /dev/urandom | base64 -w 0)}"
            say Ready '{"matchId":"'"$2"'","nonce":"'"${nonces[$2]}"'"}'
            ;;
        decide) say SubmitMove '{"matchId":"'"$2"'","turn":'"$3"',"actionId":'"$4"'}' ;;
        beat) say Heartbeat '{"ping":"'"$2"'"}' ;;
        ended)
            # One that was called off makes room for another.
            [ "$3" = MATCH_STATUS_ENDED ] || { unset "nonces[$2]"; return; }
            [ -n "${played[$2]:-}" ] || echo "$4 $2: place $5"
            played[$2]=yes
            ;;
        replaced) echo "another process uses this token" >&2; exit 1 ;;
    esac
}

if [ -z "$token" ]; then
    name=${AZULEJO_NAME:-you/bash-bot}
    answer=$(call BotsService/RegisterBot '{"owner":"'"${name%%/*}"'","name":"'"${name#*/}"'"}') ||
        { echo "not registered: $answer" >&2; exit 1; }
    token=$(jq -r .token <<<"$answer")
fi

while ((matches == 0 || ${#played[@]} < matches)); do
    poll 10s || { begin_anew; continue; }
    while IFS=$'\t' read -r -a line; do
        act "${line[@]}"
    done < <(jq -r "$TO_DO" <<<"$answer")
done
# The last poll only confirms what was seen.
poll 0s || true
