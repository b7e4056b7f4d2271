/** The URL of each deployment: `http://127.0.0.1:8081`. */
export interface Urls {
  readonly main: string
  readonly pagination: string
  readonly docs: string
}

/** A line of the access log. A request that was tried on two replicas names both, `127.0.0.1:1, 127.0.0.1:2`, and both statuses, `502, 200`. */
export interface LogLine {
  readonly time: string
  readonly remote: string
  /** `GET /hello HTTP/1.1` */
  readonly request: string
  readonly status: string
  readonly seconds: string
  readonly replicas: string
  readonly statuses: string
}

/** A running nginx. */
export interface Nginx {
  readonly urls: Urls
  /** The process number of its first process, whose children are the workers. */
  readonly pid: number | undefined
  /** Its standard error so far. */
  readonly errors: () => string
  /** The access log so far. */
  readonly log: () => readonly LogLine[]
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

/** The path of nginx, or undefined where it is missing. */
export const program: string | undefined

/** The deployed configuration, for replicas and ports on this machine. */
export function renderConfiguration(replicas: readonly Urls[], ports: Readonly<Record<keyof Urls, number>>, folder: string): string

/** Starts nginx in front of these replicas. `change` edits the configuration. */
export function startNginx(replicas: readonly Urls[], change?: (text: string) => string): Promise<Nginx>
