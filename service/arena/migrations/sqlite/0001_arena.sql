-- What an arena keeps. Names are written as people write them: owner/name, azul-colored-2-blitz.

-- Which arena holds the store: one row.
CREATE TABLE lease (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    holder  TEXT    NOT NULL,
    epoch   INTEGER NOT NULL,
    -- By this computer's clock, in milliseconds since 1970.
    renewed INTEGER NOT NULL
) STRICT;

CREATE TABLE owners (
    number     INTEGER PRIMARY KEY,
    owner      TEXT    NOT NULL UNIQUE,
    registered INTEGER NOT NULL
) STRICT;

CREATE TABLE bots (
    number     INTEGER PRIMARY KEY,
    bot        TEXT    NOT NULL UNIQUE,
    owner      TEXT    NOT NULL REFERENCES owners (owner),
    house      INTEGER NOT NULL,
    registered INTEGER NOT NULL,
    -- Why it gets no more matches, and which match was the last straw.
    paused     TEXT,
    last_straw TEXT REFERENCES matches (id),
    CHECK (paused IS NOT NULL OR last_straw IS NULL)
) STRICT;

CREATE TABLE versions (
    number   INTEGER PRIMARY KEY,
    bot      TEXT    NOT NULL REFERENCES bots (bot),
    version  TEXT    NOT NULL,
    declared INTEGER NOT NULL,
    UNIQUE (bot, version)
) STRICT;

-- A revoked one stays, so that it can never come back.
CREATE TABLE tokens (
    number  INTEGER PRIMARY KEY,
    public  TEXT    NOT NULL UNIQUE,
    hash    BLOB    NOT NULL UNIQUE,
    -- Neither: an administrator's.
    owner   TEXT REFERENCES owners (owner),
    bot     TEXT REFERENCES bots (bot),
    revoked INTEGER NOT NULL DEFAULT 0,
    CHECK (owner IS NULL OR bot IS NULL)
) STRICT;

CREATE TABLE invitations (
    number INTEGER PRIMARY KEY,
    hash   BLOB    NOT NULL UNIQUE,
    used   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Everything of a match refers to its number, not to its id: numbers grow, so what is written
-- together lies together, while ids would scatter it over the whole file.
CREATE TABLE matches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id     TEXT    NOT NULL UNIQUE,
    pool   TEXT    NOT NULL,
    ladder INTEGER NOT NULL,
    spec   TEXT    NOT NULL,
    secret BLOB    NOT NULL,
    called INTEGER NOT NULL,
    ended  INTEGER
) STRICT;

CREATE INDEX matches_of_a_pool ON matches (pool);
-- Few matches run, however many there are: these stay small.
CREATE INDEX matches_that_run ON matches (number) WHERE ended IS NULL;
CREATE INDEX matches_that_run_in_a_pool ON matches (pool) WHERE ended IS NULL;

CREATE TABLE match_events (
    match_number INTEGER NOT NULL REFERENCES matches (number),
    seq          INTEGER NOT NULL,
    -- Which arena wrote it.
    epoch        INTEGER NOT NULL,
    payload      TEXT    NOT NULL,
    PRIMARY KEY (match_number, seq)
) STRICT, WITHOUT ROWID;

-- The matches that are over, in the order in which they ended.
CREATE TABLE results (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    match_number INTEGER NOT NULL UNIQUE REFERENCES matches (number),
    rated        INTEGER NOT NULL
) STRICT;

-- A house bot's seat has neither bot nor version. The second half is written when the match ends.
CREATE TABLE seats (
    match_number  INTEGER NOT NULL REFERENCES matches (number),
    seat          INTEGER NOT NULL,
    bot           TEXT,
    version       TEXT,
    result_number INTEGER REFERENCES results (number),
    placement     INTEGER,
    reason        TEXT,
    total         INTEGER,
    PRIMARY KEY (match_number, seat),
    FOREIGN KEY (bot, version) REFERENCES versions (bot, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_of_a_bot ON seats (bot, match_number);
CREATE INDEX seats_that_play ON seats (bot, match_number) WHERE result_number IS NULL;
CREATE INDEX ends_of_a_bot ON seats (bot, result_number) WHERE result_number IS NOT NULL;

-- Not REAL: such a column keeps a whole number as an integer, and so forgets the sign of -0.0.
CREATE TABLE standings (
    pool      TEXT    NOT NULL,
    bot       TEXT    NOT NULL,
    version   TEXT    NOT NULL,
    mean      ANY     NOT NULL CHECK (typeof(mean) = 'real'),
    deviation ANY     NOT NULL CHECK (typeof(deviation) = 'real'),
    games     INTEGER NOT NULL,
    wins      ANY     NOT NULL CHECK (typeof(wins) = 'real'),
    forfeits  INTEGER NOT NULL,
    PRIMARY KEY (pool, bot, version),
    FOREIGN KEY (bot, version) REFERENCES versions (bot, version)
) STRICT, WITHOUT ROWID;

-- Ends that a bot has not heard of.
CREATE TABLE untold (
    match_number INTEGER NOT NULL REFERENCES matches (number),
    bot          TEXT    NOT NULL REFERENCES bots (bot),
    PRIMARY KEY (match_number, bot)
) STRICT, WITHOUT ROWID;
