#!/bin/sh
# Does what the official PostgreSQL image does at its start, as far as compose.yaml relies on it: the
# first start creates user, database and password, and accepts no connections until that is done.
set -eu
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    chown postgres:postgres "$PGDATA"
    chmod 700 "$PGDATA"
    : "${POSTGRES_PASSWORD:?is needed}"
    kept=$(mktemp)
    printf '%s\n' "$POSTGRES_PASSWORD" >"$kept"
    chown postgres "$kept"
    as_postgres initdb --username="$POSTGRES_USER" --pwfile="$kept" --auth-local=trust --auth-host=scram-sha-256 \
        --encoding=UTF8 --locale=C.UTF-8
    rm "$kept"
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    as_postgres pg_ctl -w start -o "-c listen_addresses=''"
    as_postgres createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
    as_postgres pg_ctl -w -m fast stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -c "listen_addresses=*"
