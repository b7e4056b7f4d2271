/** The first tables with their indexes, counters and rows. */

import { seeds } from '../seeds.ts'

type Literal = string | number | null

function sqlLiteral(value: Literal): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

/** `(1, 'one'), (2, 'two')`, for VALUES. For trusted data only: the values of clients are always bound. */
const sqlRows = (rows: readonly (readonly Literal[])[]): string => rows.map((row) => `(${row.map(sqlLiteral).join(', ')})`).join(',\n  ')

/** Triggers that count the rows of a table in SQLite, because `count(*)` would read all of them. */
const sqliteCounter = (table: string): string => `
INSERT INTO counts VALUES ('${table}', 0);
CREATE TRIGGER ${table}_counted_in AFTER INSERT ON ${table} BEGIN UPDATE counts SET total = total + 1 WHERE name = '${table}'; END;
CREATE TRIGGER ${table}_counted_out AFTER DELETE ON ${table} BEGIN UPDATE counts SET total = total - 1 WHERE name = '${table}'; END;`

/** Triggers that count the rows of a table in PostgreSQL, once for each statement. */
const postgresCounter = (table: string): string => `
CREATE TRIGGER ${table}_counted_in AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER ${table}_counted_out AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER ${table}_emptied AFTER TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION emptied();`

const firstRows = `INSERT INTO users (name, age, email, registration_date) VALUES
  ${sqlRows(seeds.users.map(({ name, age, email, registration_date }) => [name, age, email, registration_date]))};
INSERT INTO products (product_id, name) VALUES
  ${sqlRows(seeds.products.map(({ productId, name }) => [productId, name ?? null]))};
INSERT INTO persons (first_name, last_name) VALUES
  ${sqlRows(seeds.persons.map(({ firstName, lastName }) => [firstName, lastName]))};
INSERT INTO colors (name, red, green, blue, hex) VALUES
  ${sqlRows(seeds.colors.map(({ name, rgb, hex }) => [name, ...rgb, hex]))};
`

const sqliteTables = `
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
${sqliteCounter('users')}
${sqliteCounter('colors')}

${firstRows}`

const postgresTables = `
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- an identifier is never used again
  name text COLLATE "C" NOT NULL,
  age bigint NOT NULL,
  email text NOT NULL,
  registration_date date NOT NULL
);
CREATE INDEX users_by_age ON users (age, id);
CREATE INDEX users_by_name ON users (name, id);

CREATE TABLE products (product_id bigint PRIMARY KEY, name text);

CREATE TABLE persons (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL);

CREATE TABLE colors (
  name text COLLATE "C" NOT NULL,
  red smallint NOT NULL CHECK (red BETWEEN 0 AND 255),
  green smallint NOT NULL CHECK (green BETWEEN 0 AND 255),
  blue smallint NOT NULL CHECK (blue BETWEEN 0 AND 255),
  hex text COLLATE "C" NOT NULL,
  rgb bigint NOT NULL GENERATED ALWAYS AS (red + green + blue) STORED, -- as wide as the integers that it is compared with
  PRIMARY KEY (name) INCLUDE (red, green, blue, hex)
);
CREATE INDEX colors_by_hex ON colors (hex, name) INCLUDE (red, green, blue);
CREATE INDEX colors_by_rgb ON colors (rgb, name) INCLUDE (red, green, blue, hex);

CREATE TABLE secrets (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, secret text NOT NULL);

CREATE TABLE accounts (name text COLLATE "C" PRIMARY KEY, hash text NOT NULL);

-- Several rows count one table, so that those who write at the same moment do not wait for each other.
CREATE TABLE counts (name text COLLATE "C" NOT NULL, slot integer NOT NULL, total bigint NOT NULL, PRIMARY KEY (name, slot));
INSERT INTO counts VALUES ('users', 0, 0), ('colors', 0, 0);
-- Once a statement, not once a row: a row that one statement changes again and again leaves a copy each time.
CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := (SELECT count(*) FROM changed) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF change <> 0 THEN
    INSERT INTO counts AS count VALUES (TG_TABLE_NAME, pg_backend_pid() % 16, change)
      ON CONFLICT (name, slot) DO UPDATE SET total = count.total + excluded.total;
  END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE counts SET total = 0 WHERE name = TG_TABLE_NAME;
  RETURN NULL;
END
$$;
${postgresCounter('users')}
${postgresCounter('colors')}

${firstRows}`

export const createTables = Object.freeze({ version: 1, title: 'tables and first rows', sqlite: sqliteTables, postgres: postgresTables })
