#!/bin/sh
# A demo bot: bot.sh greedy. The first start registers it and keeps what the server says, its token
# among it; later starts find the token there.
name=$(echo "$1" | tr -d ':')
kept="/var/lib/azulejo/$name.txt"
token=$(grep -o 'azb_[A-Za-z0-9_-]*' "$kept" 2>/dev/null | head -n 1)
if [ -n "$token" ]; then
    AZULEJO_TOKEN=$token exec azulejo bot "$1"
fi
umask 077
exec azulejo bot "$1" --register "demo-$name/$name" >"$kept"
