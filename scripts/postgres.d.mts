/** A running PostgreSQL. */
export interface Postgres {
  readonly port: number
  /** The URL of a database, for a superuser. Default: `postgres`. */
  readonly url: (database?: string) => string
  /** The process that accepts connections. */
  readonly pid: () => number
  /** Starts it again after `stop`, on the same port with the same data. */
  readonly start: () => Promise<void>
  /** `smart` waits for clients, `fast` (the default) disconnects them, `immediate` is a crash. */
  readonly stop: (mode?: 'smart' | 'fast' | 'immediate') => Promise<void>
  /** Ends it and removes its folder. */
  readonly remove: () => Promise<void>
}

/** Starts a PostgreSQL in a temporary folder. `settings` are those of postgresql.conf. */
export function startPostgres(settings?: Readonly<Record<string, string>>): Promise<Postgres>
