#!/bin/bash
# A demo bot: bot.sh greedy. The first start registers it and keeps its tokens; later starts find them
# there.
name=${1//:/}
kept=/var/lib/azulejo/$name.txt
token=$(grep -o 'azb_[A-Za-z0-9_-]*' "$kept" 2>/dev/null | head -n 1)
if [ -n "$token" ]; then
    AZULEJO_TOKEN=$token exec azulejo bot "$1"
fi
umask 077
# Lines about tokens are kept and shown to nobody. The others are the bot's log.
exec azulejo bot "$1" --register "demo-$name/$name" > >(exec sed -Eun -e "/^Registered|az[bo]_/w $kept" -e '//!p')
