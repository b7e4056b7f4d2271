/** Tracks in real databases, by Kysely: SQLite in memory, and a PostgreSQL of one's own. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { startPostgres } from '../../../../scripts/postgres.mjs'
import type { Track } from './paginationTracks.ts'
import { sqliteDialect } from './sqliteDialect.ts'

export interface Tables {
  readonly tracks: Track
}

/** A database of tracks, and how it is done with. */
export interface TrackDatabase {
  readonly tracks: Kysely<Tables>
  readonly close: () => Promise<void>
}

/** `binary` is the collation that orders text by code point, `kind` of which kind the table is. */
async function withTables(tracks: Kysely<Tables>, { binary = '', kind = '' }): Promise<void> {
  const column = (text: string) => sql.raw(`${text}${binary}`)
  await sql`create table tracks (id integer primary key, ${column('title text')} not null, length integer, ${column('genre text')})${sql.raw(kind)}`.execute(
    tracks,
  )
  for (const field of ['title', 'length', 'genre'])
    await sql`create index ${sql.ref(`tracks_by_${field}`)} on tracks (${sql.ref(field)}, id)`.execute(tracks)
  await sql`create index tracks_by_size on tracks ((id + id), id)`.execute(tracks)
}

export async function sqliteTracks(): Promise<TrackDatabase> {
  const tracks = new Kysely<Tables>({ dialect: sqliteDialect(':memory:') })
  // Where the key is the rowid, SQLite finds a value in the index, but not a position.
  await withTables(tracks, { kind: ' without rowid' })
  return { tracks, close: () => tracks.destroy() }
}

export async function postgresTracks(): Promise<TrackDatabase> {
  const server = await startPostgres()
  const tracks = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url(), max: 1 }) }) })
  // Without a collation, PostgreSQL sorts as people do.
  await withTables(tracks, { binary: ' collate "C"' })
  return {
    tracks,
    close: async () => {
      await tracks.destroy()
      await server.remove()
    },
  }
}
