/** Tables of the scratch database that holds both sides of a comparison. */
export const SCHEMA = `
  CREATE TABLE rec (kind TEXT, side INTEGER, key TEXT, versao TEXT, name TEXT, situacao TEXT, fingerprint INTEGER,
    identity INTEGER, text TEXT, PRIMARY KEY (kind, side, key)) WITHOUT ROWID;
  CREATE TABLE word (kind TEXT, side INTEGER, sort TEXT, word TEXT, key TEXT,
    PRIMARY KEY (kind, side, sort, word, key)) WITHOUT ROWID;
  CREATE TABLE pair (kind TEXT, here TEXT, there TEXT, base_versao TEXT, base_here INTEGER, base_there INTEGER,
    known INTEGER, PRIMARY KEY (kind, here)) WITHOUT ROWID;
  CREATE UNIQUE INDEX pair_there ON pair (kind, there);
  CREATE TABLE local_state (kind TEXT, here TEXT, state TEXT, PRIMARY KEY (kind, here)) WITHOUT ROWID;
  CREATE TABLE unpaired (kind TEXT, side INTEGER, sort TEXT, mark, key TEXT,
    PRIMARY KEY (kind, side, sort, mark, key)) WITHOUT ROWID;
  CREATE TABLE crowd (kind TEXT, side INTEGER, sort TEXT, mark, records INTEGER,
    PRIMARY KEY (kind, side, sort, mark)) WITHOUT ROWID;
  CREATE TABLE active_twin (kind TEXT, identity INTEGER, first TEXT, second TEXT, PRIMARY KEY (kind, identity)) WITHOUT ROWID;
  CREATE TABLE paired_twin (kind TEXT, identity INTEGER, here TEXT, there TEXT, PRIMARY KEY (kind, identity)) WITHOUT ROWID;
  CREATE TABLE new_there (kind TEXT, identity INTEGER, here TEXT, PRIMARY KEY (kind, identity)) WITHOUT ROWID;
  CREATE TABLE lone (side INTEGER, mark, key TEXT, PRIMARY KEY (side, mark)) WITHOUT ROWID;
  CREATE TABLE met (here TEXT, there TEXT, PRIMARY KEY (here, there)) WITHOUT ROWID;
  CREATE INDEX met_there ON met (there);
  CREATE TABLE link (side INTEGER, key TEXT, seen INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (side, key)) WITHOUT ROWID;`;

/** Indexes, created after the rows: this is cheaper than to maintain them during the inserts. */
export const INDICES = `
  CREATE INDEX word_of ON word (kind, side, key);
  CREATE INDEX rec_fingerprint ON rec (kind, side, fingerprint, key);
  CREATE INDEX rec_identity ON rec (kind, side, identity, key);`;
