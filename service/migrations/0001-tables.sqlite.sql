-- Marks the file as a database of this service: the letters LAPI.
PRAGMA application_id = 0x4c415049;
CREATE TABLE migrations (version INTEGER PRIMARY KEY, title TEXT NOT NULL, applied TEXT NOT NULL) STRICT;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- an identifier is never used again
  name TEXT NOT NULL,
  age INTEGER NOT NULL,
  email TEXT NOT NULL,
  registration_date TEXT NOT NULL
) STRICT;
CREATE INDEX users_by_age ON users (age, id);
CREATE INDEX users_by_name ON users (name, id);

CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT) STRICT;

CREATE TABLE persons (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL) STRICT;

CREATE TABLE colors (
  name TEXT PRIMARY KEY,
  red INTEGER NOT NULL CHECK (red BETWEEN 0 AND 255),
  green INTEGER NOT NULL CHECK (green BETWEEN 0 AND 255),
  blue INTEGER NOT NULL CHECK (blue BETWEEN 0 AND 255),
  hex TEXT NOT NULL,
  rgb INTEGER NOT NULL GENERATED ALWAYS AS (red + green + blue) STORED
) STRICT, WITHOUT ROWID;
CREATE INDEX colors_by_hex ON colors (hex, name);
CREATE INDEX colors_by_rgb ON colors (rgb, name);

CREATE TABLE secrets (id INTEGER PRIMARY KEY AUTOINCREMENT, secret TEXT NOT NULL) STRICT;

CREATE TABLE accounts (name TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE counts (name TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- Triggers count the rows of a table, because `count(*)` would read all of them.
INSERT INTO counts VALUES ('users', 0);
CREATE TRIGGER users_counted_in AFTER INSERT ON users BEGIN UPDATE counts SET total = total + 1 WHERE name = 'users'; END;
CREATE TRIGGER users_counted_out AFTER DELETE ON users BEGIN UPDATE counts SET total = total - 1 WHERE name = 'users'; END;

INSERT INTO counts VALUES ('colors', 0);
CREATE TRIGGER colors_counted_in AFTER INSERT ON colors BEGIN UPDATE counts SET total = total + 1 WHERE name = 'colors'; END;
CREATE TRIGGER colors_counted_out AFTER DELETE ON colors BEGIN UPDATE counts SET total = total - 1 WHERE name = 'colors'; END;
