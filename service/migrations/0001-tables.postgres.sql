CREATE TABLE migrations (version integer PRIMARY KEY, title text NOT NULL, applied timestamptz NOT NULL);

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
CREATE TRIGGER users_counted_in AFTER INSERT ON users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER users_counted_out AFTER DELETE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER users_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION emptied();

CREATE TRIGGER colors_counted_in AFTER INSERT ON colors REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER colors_counted_out AFTER DELETE ON colors REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION counted();
CREATE TRIGGER colors_emptied AFTER TRUNCATE ON colors FOR EACH STATEMENT EXECUTE FUNCTION emptied();
