#!/usr/bin/env bash
# A bot in bash, with curl and jq: it polls for events and answers by calls, all as JSON over HTTP.
#
#   AZULEJO_SERVER     default: http://127.0.0.1:7700
#   AZULEJO_TOKEN      the bot's token; without one the bot AZULEJO_NAME (OWNER/NAME) is registered
#   AZULEJO_GAME       azul or summer-pavilion, for two players; default: all rulesets
#   AZULEJO_MATCHES    the number of matches after which it ends; default: never
#
# A session begins with a snapshot of all running matches. So if a call fails, the bot starts a new
# session and continues from there.
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

# What to do after a poll, one line per action. The best legal move has the most points; among equal
# ones, the most tiles.
readonly ACTIONS='
    def value:
        if .azulEffect then .azulEffect | [.wallPoints - .floorPenalty, .tilesToLine]
        else .summerPavilionEffect | [.points - .pointsLost, .tilesTaken] end;
    def ready: ["ready", .match.id];
    def decide: ["decide", .matchId, .turn, (.legalMoves | max_by(value).actionId)];
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

# call SERVICE/METHOD MESSAGE: prints the answer. The token is not visible in the process list.
call() {
    curl --silent --fail-with-body --max-time 30 --data-binary "$2" \
        --header 'content-type: application/json' \
        --header @<([ -z "$token" ] || printf 'authorization: Bearer %s\n' "$token") \
        "$server/azulejo.arena.v1.$1"
}

# play METHOD MESSAGE: ignores errors of calls that are too late: the turn or the match is over, or
# the turn is already answered.
play() {
    local answer
    answer=$(call "PlayService/$1" "$2") && return
    echo "$1: ${answer:-no answer}" | cut -c 1-200
    [[ $answer =~ '"code":"'(aborted|already_exists|failed_precondition|not_found) ]] || session=''
}

# poll WAIT: one match at a time, and none after the last. A Hello is sent only if the offer changes.
# after_seq acknowledges all events before, ends of matches included.
poll() {
    local offer=1 hello=''
    ((matches == 0 || ${#nonces[@]} < matches)) || offer=0
    [ -n "$session" ] || after=0
    if [ -z "$session" ] || [ "$offer" != "$offered" ]; then
        hello='"hello":{"version":"1","sdk":"curl","offer":{"rulesets":['$rulesets'],
            "timeClasses":["TIME_CLASS_BLITZ","TIME_CLASS_RAPID"],
            "maxConcurrentMatches":'$offer',"acceptsChallenges":true}},'
    fi
    local rest='"session":"'$session'","afterSeq":"'$after'","maxWait":"'$1'"'
    answer=$(call PlayService/NextEvents "{$hello$rest}") && offered=$offer
}

# Starts a new session, unless that would fail too.
restart_session() {
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
            # A repeated Ready must have the same nonce.
            : "${nonces[$2]:=$(head -c 32 /dev/urandom | base64 -w 0)}"
            play Ready '{"matchId":"'"$2"'","nonce":"'"${nonces[$2]}"'"}'
            ;;
        decide) play SubmitMove '{"matchId":"'"$2"'","turn":'"$3"',"actionId":'"$4"'}' ;;
        beat) play Heartbeat '{"ping":"'"$2"'"}' ;;
        ended)
            # A voided match does not count.
            [ "$3" = MATCH_STATUS_ENDED ] || { unset "nonces[$2]"; return; }
            [ -n "${played[$2]:-}" ] || echo "$4 $2: place $5"
            played[$2]=yes
            ;;
        replaced) echo "another process uses this token" >&2; exit 1 ;;
    esac
}

# Prints the token of a new bot. All attempts have the same request id, so that a lost answer does
# not register two bots.
register() {
    local name=${AZULEJO_NAME:-you/bash-bot} id answer
    id=$(</proc/sys/kernel/random/uuid)
    for delay in 0.2 0.5 1 ''; do
        answer=$(call BotsService/RegisterBot \
            '{"owner":"'"${name%%/*}"'","name":"'"${name#*/}"'","requestId":"'"$id"'"}') &&
            { jq -r .token <<<"$answer"; return; }
        # Without an answer, or while the server is unavailable, another attempt may succeed.
        [[ -z $answer || $answer =~ '"code":"unavailable"' ]] && [ -n "$delay" ] || break
        sleep "$delay"
    done
    echo "cannot register $name: ${answer:-no answer}" >&2
    return 1
}

[ -n "$token" ] || token=$(register) || exit 1

while ((matches == 0 || ${#played[@]} < matches)); do
    poll 10s || { restart_session; continue; }
    while IFS=$'\t' read -r -a line; do
        act "${line[@]}"
    done < <(jq -r "$ACTIONS" <<<"$answer")
done
# The last poll only acknowledges the last events.
poll 0s || true
