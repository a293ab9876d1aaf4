-- The formula that the live ratings were computed with: one row. An arena that uses another formula
-- recomputes them from the results when it starts.
CREATE TABLE rating_formula (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    formula BIGINT NOT NULL
);

INSERT INTO rating_formula (id, formula) VALUES (1, 1);
