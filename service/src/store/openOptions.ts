/** What can be said of how a database is used. */

/** How a database across a network is used. A database in this process needs none of it. */
export interface OpenOptions {
  /** How many connections to keep at most. Default: 10. */
  readonly connections?: number
  /** For how long one request to the database may take, the wait for a connection included, in milliseconds. Default: 900. */
  readonly timeout?: number
  /** Told of a connection that failed while nobody was using it. Default: nobody is told. */
  readonly report?: (error: Error) => void
}
