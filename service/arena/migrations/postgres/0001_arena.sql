-- What an arena keeps. Names are written as people write them: owner/name, azul-colored-2-blitz.
-- They are ordered by their bytes, whatever the language of the database is.
-- Moments of the arena are milliseconds since 1970; the last bit of 64 makes them negative.

-- Which arena holds the store: one row. Whoever writes locks it first.
CREATE TABLE lease (
    id      SMALLINT    PRIMARY KEY CHECK (id = 1),
    holder  TEXT        NOT NULL,
    epoch   BIGINT      NOT NULL,
    -- By this server's clock.
    renewed TIMESTAMPTZ NOT NULL
);

CREATE TABLE owners (
    number     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner      TEXT COLLATE "C" NOT NULL UNIQUE,
    registered BIGINT NOT NULL
);

CREATE TABLE bots (
    number     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bot        TEXT COLLATE "C" NOT NULL UNIQUE,
    owner      TEXT COLLATE "C" NOT NULL REFERENCES owners (owner),
    house      BOOLEAN NOT NULL,
    registered BIGINT  NOT NULL,
    -- Why it gets no more matches, in UTF-8: a text could not hold every character. And which match
    -- was the last straw.
    paused     BYTEA,
    last_straw TEXT COLLATE "C",
    CHECK (paused IS NOT NULL OR last_straw IS NULL)
);

CREATE TABLE versions (
    number   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bot      TEXT COLLATE "C" NOT NULL REFERENCES bots (bot),
    version  TEXT COLLATE "C" NOT NULL,
    declared BIGINT NOT NULL,
    UNIQUE (bot, version)
);

-- A revoked one stays, so that it can never come back.
CREATE TABLE tokens (
    number  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public  TEXT COLLATE "C" NOT NULL UNIQUE,
    hash    BYTEA   NOT NULL UNIQUE,
    -- Neither: an administrator's.
    owner   TEXT COLLATE "C" REFERENCES owners (owner),
    bot     TEXT COLLATE "C" REFERENCES bots (bot),
    revoked BOOLEAN NOT NULL DEFAULT FALSE,
    CHECK (owner IS NULL OR bot IS NULL)
);

CREATE TABLE invitations (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash   BYTEA   NOT NULL UNIQUE,
    used   BOOLEAN NOT NULL DEFAULT FALSE
);

-- Everything of a match refers to its number, not to its id: numbers grow, so what is written
-- together lies together, while ids would scatter it over all pages.
CREATE TABLE matches (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id     TEXT COLLATE "C" NOT NULL UNIQUE,
    pool   TEXT COLLATE "C" NOT NULL,
    block  TEXT COLLATE "C" NOT NULL,
    ladder BOOLEAN NOT NULL,
    -- Not JSONB, which refuses a zero in a text, and whose order is not ours.
    spec   TEXT    NOT NULL,
    secret BYTEA   NOT NULL,
    called BIGINT  NOT NULL,
    ended  BIGINT
);

ALTER TABLE bots ADD FOREIGN KEY (last_straw) REFERENCES matches (id);

CREATE INDEX matches_of_a_pool ON matches (pool, number);
-- Few matches run, however many there are: these stay small.
CREATE INDEX matches_that_run ON matches (number) WHERE ended IS NULL;
CREATE INDEX matches_that_run_in_a_pool ON matches (pool, number) WHERE ended IS NULL;

-- Most rows by far are these. That their match is there is not checked again for each of them: the
-- arena asks for its number in the same transaction, and no match is ever deleted.
CREATE TABLE match_events (
    match_number BIGINT NOT NULL,
    seq          BIGINT NOT NULL,
    -- Which arena wrote it.
    epoch        BIGINT NOT NULL,
    payload      TEXT   NOT NULL,
    PRIMARY KEY (match_number, seq)
);

-- The matches that are over, in the order in which they ended.
CREATE TABLE results (
    number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    match_number BIGINT  NOT NULL UNIQUE REFERENCES matches (number),
    rated        BOOLEAN NOT NULL
);

CREATE INDEX results_of_the_ladder ON results (number) WHERE rated;

-- A house bot's seat has neither bot nor version. The second half is written when the match ends.
CREATE TABLE seats (
    match_number  BIGINT   NOT NULL REFERENCES matches (number),
    seat          SMALLINT NOT NULL,
    bot           TEXT COLLATE "C",
    version       TEXT COLLATE "C",
    result_number BIGINT REFERENCES results (number),
    placement     SMALLINT,
    reason        TEXT,
    total         INTEGER,
    PRIMARY KEY (match_number, seat),
    FOREIGN KEY (bot, version) REFERENCES versions (bot, version)
);

CREATE INDEX seats_of_a_bot ON seats (bot, match_number);
CREATE INDEX seats_that_play ON seats (bot, match_number) WHERE result_number IS NULL;
CREATE INDEX ends_of_a_bot ON seats (bot, result_number) WHERE result_number IS NOT NULL;

CREATE TABLE standings (
    pool      TEXT COLLATE "C" NOT NULL,
    bot       TEXT COLLATE "C" NOT NULL,
    version   TEXT COLLATE "C" NOT NULL,
    mean      DOUBLE PRECISION NOT NULL CHECK (mean <> 'NaN'),
    deviation DOUBLE PRECISION NOT NULL CHECK (deviation <> 'NaN'),
    games     BIGINT           NOT NULL,
    wins      DOUBLE PRECISION NOT NULL CHECK (wins <> 'NaN'),
    forfeits  BIGINT           NOT NULL,
    PRIMARY KEY (pool, bot, version),
    FOREIGN KEY (bot, version) REFERENCES versions (bot, version)
);

-- Ends that a bot has not heard of.
CREATE TABLE untold (
    match_number BIGINT           NOT NULL REFERENCES matches (number),
    bot          TEXT COLLATE "C" NOT NULL REFERENCES bots (bot),
    PRIMARY KEY (match_number, bot)
);
