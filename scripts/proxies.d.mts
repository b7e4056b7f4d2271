/** The proxies that this starts. nginx has `nginx.mjs`. */
export type ProxyKind = 'haproxy' | 'caddy'

/** A running proxy. */
export interface Proxy {
  readonly url: string
  /** Its output so far. */
  readonly output: () => string
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

/** The path of the program, or undefined where it is missing. */
export function findProxy(kind: ProxyKind): string | undefined

/** Starts a proxy with its deployed configuration in front of these URLs. `change` edits the configuration. */
export function startProxy(kind: ProxyKind, urls: readonly string[], change?: (text: string) => string): Promise<Proxy>
