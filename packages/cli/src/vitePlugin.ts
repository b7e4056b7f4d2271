/** The plugin of Vite that writes the module of routes: when Vite starts, and when a file of the API changes. */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { findApi } from './findExports.ts'
import { printLightRoutes, type RouteSelection } from './lightRoutes.ts'

/** Options of `lapidaryRoutes`. Paths begin at the `root` of Vite. */
export interface RoutesPluginOptions extends RouteSelection {
  /** The file that exports the API: `src/api.ts`. */
  readonly api: string
  /** The file to write: `src/api.routes.ts`. */
  readonly out: string
  /** The export that is the API. @default `api`, the default export, or the only one */
  readonly export?: string
}

/** What Vite calls. */
export interface RoutesPlugin {
  readonly name: string
  readonly configResolved: (config: { readonly root: string }) => void
  readonly buildStart: (this: { readonly addWatchFile: (file: string) => void }) => Promise<void>
  readonly watchChange: (file: string) => Promise<void>
}

/** What Vite has for programs. */
interface Vite {
  /** Loads a module as Vite does, and says which files it is made of. */
  readonly runnerImport: (
    path: string,
    config: { readonly root: string; readonly configFile: false },
  ) => Promise<{ readonly module: Readonly<Record<string, unknown>>; readonly dependencies: readonly string[] }>
}

/** Imports the Vite of a project. */
const importVite = (root: string): Promise<Vite> =>
  import(pathToFileURL(createRequire(join(root, 'package.json')).resolve('vite')).href) as Promise<Vite>

/**
 * Writes the module of routes that the light client takes, so that it is never stale: before each build, when the development server
 * starts, and whenever a file of the API changes. If the API has an error then, Vite logs it, and the next change of any file tries again. A
 * file that is up to date is left as it is. It needs Vite 7 or later.
 *
 * @throws TypeError and `CliError` (when Vite starts) for what `lapidary routes --client` refuses.
 * @example
 * ```ts
 * import { lapidaryRoutes } from '@lapidary/cli/vite'
 *
 * // vite.config.ts: export default defineConfig({ plugins: [routes] })
 * const routes = lapidaryRoutes({ api: 'src/api.ts', out: 'src/api.routes.ts', except: ['internal'] })
 * ```
 */
export function lapidaryRoutes({ api, out, export: exportName, ...selection }: RoutesPluginOptions): RoutesPlugin {
  let root = process.cwd()
  let sources: ReadonlySet<string> = new Set()
  /** The last attempt to write, which later ones wait for: an older one must not end after a newer one. */
  let attempt: Promise<void> = Promise.resolve()
  let hasFailed = false

  async function writeFromSources(): Promise<void> {
    const { runnerImport } = await importVite(root)
    const path = resolve(root, api)
    // Without the configuration, which has this plugin.
    const { module, dependencies } = await runnerImport(path, { root, configFile: false })
    sources = new Set([path, ...dependencies.map((file) => resolve(root, file))])
    const text = printLightRoutes(findApi({ name: api, path, exports: { ...module } }, exportName), selection)
    const file = resolve(root, out)
    // A file that is written again would reload the page.
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
    hasFailed = false
  }

  function write(): Promise<void> {
    const next = attempt.then(writeFromSources)
    attempt = next.catch(() => {
      hasFailed = true
    })
    return next
  }

  return {
    name: 'lapidary-routes',
    configResolved: (config) => {
      root = config.root
    },
    async buildStart() {
      await write()
      for (const file of sources) this.addWatchFile(file)
    },
    watchChange: async (file) => {
      // After a failure it is not known which files the API has: one of them may be new.
      if (hasFailed ? resolve(file) !== resolve(root, out) : sources.has(resolve(file))) await write()
    },
  }
}
