/** What a user chooses: the schema library, the host and the extras of a project. */

/** One of several values, as a prompt shows it. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint: string
}

export type SchemaLibrary = 'zod' | 'valibot' | 'arktype'
export type Host = 'node' | 'bun' | 'workers'
export type Extra = 'page' | 'postgres' | 'docker'

export const schemaLibraries: readonly Choice<SchemaLibrary>[] = [
  { value: 'zod', label: 'zod', hint: 'the one that most projects have' },
  { value: 'valibot', label: 'Valibot', hint: 'small in a page' },
  { value: 'arktype', label: 'ArkType', hint: 'schemas written like types' },
]

export const hosts: readonly Choice<Host>[] = [
  { value: 'node', label: 'Node.js', hint: '20.12 or newer' },
  { value: 'bun', label: 'Bun', hint: 'the toolkit is tested with 1.4' },
  { value: 'workers', label: 'Cloudflare Workers', hint: 'by wrangler' },
]

export const extras: readonly Choice<Extra>[] = [
  { value: 'page', label: 'A page', hint: 'Vite, and the light client: 3 KB' },
  { value: 'postgres', label: 'PostgreSQL', hint: 'by Kysely, in place of the memory' },
  { value: 'docker', label: 'Docker', hint: 'an image of the server' },
]

/** A complete choice. */
export interface ProjectOptions {
  /** The name of the package: the last part of the folder. */
  readonly name: string
  readonly schema: SchemaLibrary
  readonly host: Host
  readonly extras: readonly Extra[]
}

/** Why a host does not take an extra. */
const refusals: Readonly<Partial<Record<Host, Partial<Record<Extra, string>>>>> = {
  workers: {
    postgres: 'A worker reaches PostgreSQL by Hyperdrive, which needs an account: add it to the finished project.',
    docker: 'A worker is deployed by wrangler, and not as an image.',
  },
}

/** Why a project for this host cannot have an extra, or undefined if it can. */
export const findRefusal = (host: Host, extra: Extra): string | undefined => refusals[host]?.[extra]

/** The name of a package for a folder: `My API!` is `my-api`. npm takes up to 214 characters. */
export const toPackageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 214)
    .replace(/^-|-$/g, '') || 'my-api'
