/** The tables, and Kysely on `node:sqlite` (which `@photostructure/sqlite` brings to Node.js 20). */
import { DatabaseSync } from '@photostructure/sqlite'
import { type Generated, Kysely, SqliteDialect } from 'kysely'
import type { Role } from './schemas.ts'

/** Times are ISO texts in UTC, which sort as the times do. */
interface Tables {
  users: { id: Generated<number>; name: string; password: string }
  keys: { digest: Uint8Array; kind: 'session' | 'token'; user: number; ends_at: string }
  orgs: { id: Generated<number>; slug: string; title: string }
  members: { org: number; user: number; role: Role }
  tickets: {
    id: Generated<number>
    org: number
    title: string
    text: string
    priority: 'low' | 'normal' | 'high'
    assignee: string | null
    due_at: string | null
    author: string
    created_at: string
    closed_at: string | null
  }
  replies: { id: Generated<number>; ticket: number; author: string; text: string; created_at: string }
  attachments: { id: string; ticket: number; name: string; type: string; size: number; created_at: string }
  subscriptions: { id: Generated<number>; org: number; url: string; secret: string }
  changes: { id: Generated<number>; org: number; event: 'opened' | 'changed' | 'closed' | 'replied'; data: string }
}
export type Database = Kysely<Tables>

const tables = `
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  create table if not exists users (id integer primary key, name text not null unique, password text not null);
  create table if not exists keys (digest blob primary key, kind text not null, user integer not null references users, ends_at text not null);
  create table if not exists orgs (id integer primary key, slug text not null unique, title text not null);
  create table if not exists members (
    org integer references orgs, user integer references users, role text not null, primary key (org, user)
  ) without rowid;
  create table if not exists tickets (
    id integer primary key autoincrement, org integer not null references orgs, title text not null, text text not null, priority text not null,
    assignee text, due_at text, author text not null, created_at text not null, closed_at text
  );
  create index if not exists tickets_by_time on tickets (org, created_at, id);
  create table if not exists replies (
    id integer primary key, ticket integer not null references tickets, author text not null, text text not null, created_at text not null
  );
  create table if not exists attachments (
    id text primary key, ticket integer not null references tickets, name text not null, type text not null, size integer not null,
    created_at text not null
  );
  create table if not exists subscriptions (
    id integer primary key autoincrement, org integer not null references orgs, url text not null, secret text not null
  );
  create table if not exists changes (id integer primary key autoincrement, org integer not null, event text not null, data text not null);
  create table if not exists idempotency_keys (
    key text primary key, fingerprint text not null, owner text not null, expires_at bigint not null, response text
  );
  create index if not exists idempotency_keys_expires_at on idempotency_keys (expires_at);
  create table if not exists webhook_deliveries (
    id text primary key, webhook text not null, url text not null, subscription text, content_type text not null,
    payload text not null, attempts integer not null, owner text, due_at bigint, error text
  );
  create index if not exists webhook_deliveries_due_at on webhook_deliveries (due_at);
`

export function openDatabase(path: string): Database {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(tables)
  function prepare(sql: string) {
    const statement = sqlite.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as string[])),
      run: (values: readonly unknown[]) => statement.run(...(values as string[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as string[])),
    }
  }
  return new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => sqlite.close() } }) })
}
