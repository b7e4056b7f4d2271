/** The first tables, their indexes, the counters that the database keeps itself, and the rows that the service starts with. */

import { seeds } from '../seeds.ts'
import { literals } from './literals.ts'
import type { Migration } from './migration.ts'

/** A trigger pair for each counted table: counting rows would read them all. */
const counted = (table: string): string => `
INSERT INTO counts VALUES ('${table}', 0);
CREATE TRIGGER ${table}_counted_in AFTER INSERT ON ${table} BEGIN UPDATE counts SET total = total + 1 WHERE name = '${table}'; END;
CREATE TRIGGER ${table}_counted_out AFTER DELETE ON ${table} BEGIN UPDATE counts SET total = total - 1 WHERE name = '${table}'; END;`

const sqlite = `
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
${counted('users')}
${counted('colors')}

INSERT INTO users (name, age, email, registration_date) VALUES
  ${literals(seeds.users.map(({ name, age, email, registration_date }) => [name, age, email, registration_date]))};
INSERT INTO products (product_id, name) VALUES
  ${literals(seeds.products.map(({ productId, name }) => [productId, name ?? null]))};
INSERT INTO persons (first_name, last_name) VALUES
  ${literals(seeds.persons.map(({ firstName, lastName }) => [firstName, lastName]))};
INSERT INTO colors (name, red, green, blue, hex) VALUES
  ${literals(seeds.colors.map(({ name, rgb, hex }) => [name, ...rgb, hex]))};
`

export const tables: Migration = Object.freeze({ version: 1, title: 'tables and first rows', sqlite })
