/** What can be said of how a database is used. */

/** How many connections there are to a database, and who uses them. */
export interface PoolState {
  readonly idle: number
  readonly busy: number
  /** How many requests wait for a connection. */
  readonly waiting: number
}

/** Somebody who watches over a database. */
export interface StoreWatch {
  /** Told of every statement that failed: `unavailable` where the database could not serve, `error` where the statement itself was wrong. */
  readonly failed: (kind: 'unavailable' | 'error') => void
  /** Given a function that tells the state of the pool, where there is one. */
  readonly pooled: (state: () => PoolState) => void
}

/** How a database across a network is used. A database in this process needs none of it. */
export interface OpenOptions {
  /** How many connections to keep at most. Default: 10. */
  readonly connections?: number
  /** For how long one request to the database may take, the wait for a connection included, in milliseconds. Default: 900. */
  readonly timeout?: number
  /** Told of a connection that failed while nobody was using it. Default: nobody is told. */
  readonly report?: (error: Error) => void
  /** Default: nobody watches. */
  readonly watch?: StoreWatch | undefined
}
