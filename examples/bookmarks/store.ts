/** The database: one connection writes, one reads. Each change is in a log, which live pages and webhooks read. */
import { EventEmitter } from 'node:events'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { link } from 'lapidary/links'
import { type Account, api, type Bookmark, type Check, type NewBookmark, type Search, type User } from './api.ts'

const owner = 'account integer references accounts on delete cascade'
const tables = `
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  create table if not exists accounts (id integer primary key, name text unique, password text, role text);
  create table if not exists keys (digest blob primary key, ${owner}, scopes text, ends integer);
  create table if not exists bookmarks (
    id integer primary key autoincrement, ${owner}, url text, data text, added text, isDead integer, thumbnail blob, unique (account, url)
  );
  create table if not exists changes (id integer primary key autoincrement, ${owner}, event text, data text);
  create table if not exists webhooks (${owner} primary key, url text, secret text, sent integer);
  create table if not exists checks (id integer primary key autoincrement, ${owner}, total integer, done integer);
  create view if not exists shown as select *, thumbnail is not null as hasThumbnail from bookmarks;
  -- A check ends with its process.
  update checks set total = done;
`
type Row = { id: number; data: string; added: string; isDead: number | null; hasThumbnail: number }
export type Webhook = { account: number; url: string; secret: string; sent: number }
type Event = { event: 'added' | 'changed'; data: Bookmark } | { event: 'removed'; data: { id: number } } | { event: 'check'; data: Check }
export type Change = Event & { id: number }

const toBookmark = ({ id, data, added, isDead, hasThumbnail }: Row): Bookmark => ({
  ...{ ...JSON.parse(data), id, added },
  isDead: isDead === null ? undefined : isDead === 1,
  thumbnail: hasThumbnail ? link(api.bookmarks.thumbnail, { params: { id } }) : undefined,
})

function createQueries(database: DatabaseSyncInstance) {
  const sql = database.createTagStore(1_000)
  const getBookmark = (account: number, id: number): Bookmark | undefined =>
    (sql.all`select * from shown where account = ${account} and id = ${id}` as Row[]).map(toBookmark)[0]
  const log = (account: number, { event, data }: Event) =>
    sql.run`insert into changes (account, event, data) values (${account}, ${event}, ${JSON.stringify(data)})`
  function logBookmark(event: 'added' | 'changed', account: number, id: number): Bookmark | undefined {
    const data = getBookmark(account, id)
    if (data !== undefined) log(account, { event, data })
    return data
  }
  return {
    account: (name: string) => sql.get`select * from accounts where name = ${name}` as (Account & { password: string }) | undefined,
    accounts: () => sql.all`select * from accounts order by id` as Account[],
    /** The first account is the admin's. Undefined where the name is taken. */
    addAccount: (name: string, password: string) =>
      sql.get`insert into accounts (name, password, role) select ${name}, ${password}, iif(count(*) = 0, 'admin', 'user') from accounts
        where true on conflict do nothing returning *` as Account | undefined,
    user: (digest: Uint8Array): User | undefined => {
      const row = sql.get`select accounts.*, scopes from keys join accounts on accounts.id = account
        where digest = ${digest} and ends > unixepoch()` as (Account & { scopes: string }) | undefined
      return row && { ...row, scopes: JSON.parse(row.scopes) }
    },
    addKey: (account: number, digest: Uint8Array, scopes: readonly string[]) =>
      sql.run`insert into keys values (${digest}, ${account}, ${JSON.stringify(scopes)}, unixepoch() + 2592000)`,
    bookmark: getBookmark,
    /** A few hundred at a time, so that no cursor is open while a slow client reads. */
    *bookmarks(account: number): Generator<Bookmark> {
      const after = (id = 0) => sql.all`select * from shown where account = ${account} and id > ${id} order by id limit 500` as Row[]
      for (let rows = after(); rows.length > 0; rows = after(rows.at(-1)?.id)) yield* rows.map(toBookmark)
    },
    search: (account: number, { word, sort, page, limit, filter }: Search): readonly Bookmark[] => {
      const [text, tag, since, dead] = [word ?? null, filter.tag ?? null, filter.since ?? null, `${filter.isDead}`]
      const rows = sql.all`select * from shown where account = ${account} and (${text} is null or instr(lower(data), lower(${text})))
        and (${since} is null or added >= ${since}) and (${dead} = 'undefined' or isDead = (${dead} = 'true'))
        and (${tag} is null or exists (select 1 from json_each(data, '$.tags') where value = ${tag}))
        order by iif(${sort} = 'title', data ->> 'title', null), id desc limit ${limit} offset ${(page - 1) * limit}`
      return (rows as Row[]).map(toBookmark)
    },
    thumbnail: (account: number, id: number) =>
      sql.get`select thumbnail as png from bookmarks where account = ${account} and id = ${id}` as { png?: BlobPart } | undefined,
    add: (account: number, bookmark: NewBookmark) => {
      const { changes, lastInsertRowid } = sql.run`insert or ignore into bookmarks (account, url, data, added)
        values (${account}, ${bookmark.url}, ${JSON.stringify(bookmark)}, ${new Date().toISOString()})`
      return changes === 0 ? undefined : logBookmark('added', account, Number(lastInsertRowid))
    },
    change: (account: number, id: number, bookmark: NewBookmark) => {
      const { changes } = sql.run`update or ignore bookmarks set url = ${bookmark.url}, data = ${JSON.stringify(bookmark)} where id = ${id}`
      return changes === 0 ? undefined : logBookmark('changed', account, id)
    },
    setThumbnail: (account: number, id: number, png: Uint8Array) => {
      sql.run`update bookmarks set thumbnail = ${png} where id = ${id}`
      logBookmark('changed', account, id)
    },
    remove: (account: number, id: number) => {
      sql.run`delete from bookmarks where id = ${id}`
      log(account, { event: 'removed', data: { id } })
    },
    *changes(account: number, last: number): Generator<Change> {
      const after = (id: number) =>
        sql.all`select * from changes where account = ${account} and id > ${id} order by id limit 500` as Change[]
      for (let rows = after(last); rows.length > 0; rows = after(rows.at(-1)?.id ?? 0))
        for (const row of rows) yield { ...row, data: JSON.parse(`${row.data}`) }
    },
    lastChange: () => (sql.get`select coalesce(max(id), 0) as id from changes` as { id: number }).id,
    webhook: (account: number) => sql.get`select * from webhooks where account = ${account}` as Webhook | undefined,
    webhooks: () => sql.all`select * from webhooks` as Webhook[],
    setWebhook: (account: number, url: string, secret: string) =>
      sql.run`insert into webhooks select ${account}, ${url}, ${secret}, coalesce(max(id), 0) from changes where true
        on conflict do update set url = excluded.url, secret = excluded.secret`,
    setSent: (account: number, id: number) => sql.run`update webhooks set sent = ${id} where account = ${account}`,
    checks: (account: number) => sql.all`select * from checks where account = ${account}` as Check[],
    addCheck: (account: number, total: number) =>
      sql.get`insert into checks (account, total, done) values (${account}, ${total}, 0) returning *` as Check,
    advanceCheck: (account: number, check: number, bookmark: number, isDead: boolean) => {
      sql.run`update bookmarks set isDead = ${Number(isDead)} where id = ${bookmark}`
      log(account, { event: 'check', data: sql.get`update checks set done = done + 1 where id = ${check} returning *` as Check })
    },
  }
}

export type Store = ReturnType<typeof openStore>

export function openStore(path: string) {
  const writing = new DatabaseSync(path)
  writing.exec(tables)
  const tx = createQueries(writing)
  /** Its event `change` comes behind each transaction. */
  const bell = new EventEmitter().setMaxListeners(0)
  let last: Promise<unknown> = Promise.resolve()

  async function run<Result>(work: (queries: typeof tx) => Promise<Result> | Result): Promise<Result> {
    writing.exec('begin immediate')
    try {
      const result = await work(tx)
      writing.exec('commit')
      return result
    } catch (error) {
      writing.exec('rollback')
      throw error
    }
  }
  /** Runs `work` in a transaction, after those before it. An error rolls back. */
  const write: typeof run = (work) => {
    const result = last.then(() => run(work))
    last = result.then(() => bell.emit('change')).catch(() => {})
    return result
  }
  return { read: createQueries(new DatabaseSync(path, { readOnly: true })), write, bell }
}
