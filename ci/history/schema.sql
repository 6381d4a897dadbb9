CREATE TABLE campaign (
  id          INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  stage       TEXT NOT NULL,
  night       TEXT NOT NULL,
  revision    TEXT NOT NULL,
  began       INTEGER NOT NULL,  -- seconds since 1970
  planned     INTEGER NOT NULL,
  passed      INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  errors      INTEGER NOT NULL,
  open        INTEGER NOT NULL,  -- testpoints that a closed stage did not show
  CHECK (planned > 0 AND planned = passed + failed + errors)
) STRICT;
CREATE INDEX campaign_stage ON campaign (stage, began, id);

CREATE TABLE bin (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE run (
  campaign  INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
  n         INTEGER NOT NULL,    -- place in the plan
  name      TEXT NOT NULL,
  test      TEXT NOT NULL,
  block     TEXT NOT NULL,
  source    TEXT NOT NULL,       -- empty for a command of its own
  seed      INTEGER NOT NULL,
  size      TEXT NOT NULL,
  command   TEXT NOT NULL,
  outcome   TEXT NOT NULL CHECK (outcome IN ('passed', 'failed', 'error')),
  reason    TEXT NOT NULL,
  events    INTEGER NOT NULL,
  cycles    INTEGER NOT NULL,
  fields    INTEGER NOT NULL,
  digest    TEXT NOT NULL,
  bins      INTEGER NOT NULL,
  missed    BLOB NOT NULL,       -- numbers of bins, ascending, as differences in varints
  failure   TEXT NOT NULL,       -- JSON of the first difference, or empty
  figures   TEXT NOT NULL,       -- JSON of the figures, or empty
  seconds   REAL NOT NULL,
  cpu       REAL NOT NULL,
  memory_mb INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX run_place ON run (campaign, n);
CREATE INDEX run_failed ON run (campaign, n) WHERE outcome = 'failed';
