import type { Urls } from './nginx.mjs'

/** The exit of a replica, and its last output. */
export interface ReplicaExit {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

/** The built service as a process, on ports that stay the same. */
export interface Replica {
  readonly urls: Urls
  readonly pid: () => number | undefined
  /** Resolves when every deployment listens. */
  readonly start: () => Promise<void>
  /** Sends the signal, SIGTERM by default, and resolves when the process is gone. */
  readonly end: (signal?: NodeJS.Signals) => Promise<ReplicaExit>
  /** Ends it for good, by SIGKILL by default, and removes its folder. */
  readonly remove: (signal?: NodeJS.Signals) => Promise<void>
}

/** Prepares a replica on this database, without starting it. `environment` has further settings by their variables. */
export function createReplica(database: string, environment?: Readonly<Record<string, string>>): Promise<Replica>
