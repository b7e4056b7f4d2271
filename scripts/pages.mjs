// Builds the pages of the service into service/dist/pages, and what they load into service/dist/assets, when a source has changed.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'service/dist')
/** Lists the files that the last build read, one a line. */
const record = join(root, 'service/dist/.assets')

/** Replaces a file at once. An unchanged file keeps its time, and with it its ETag. */
function write(path, content) {
  try {
    if (readFileSync(path).equals(content)) return
  } catch {
    mkdirSync(dirname(path), { recursive: true })
  }
  const aside = `${path}.${process.pid}`
  writeFileSync(aside, content)
  renameSync(aside, path)
}

function isFresh() {
  try {
    const { mtimeMs } = statSync(record)
    return readFileSync(record, 'utf8')
      .split('\n')
      .every((path) => statSync(join(root, path)).mtimeMs < mtimeMs)
  } catch {
    return false // There is no build yet, or a file is missing.
  }
}

/** Builds the pages. @throws the error of esbuild */
export async function buildPages() {
  if (isFresh()) return
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...['start.html', 'docs.html'].map((name) => ({ in: `service/src/browser/${name}`, out: `pages/${parse(name).name}` })),
      ...['start.ts', 'start.css', 'docs.ts', 'docs.css', 'icon.svg']
        .map((name) => `service/src/browser/${name}`)
        // The bundle refers to it.
        .concat('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt')
        .map((path) => ({ in: path, out: `assets/${parse(path).name}` })),
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
    format: 'esm',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    // By the paths of tsconfig.base.json, the toolkit comes from its sources, whether it has been built or not.
    loader: { '.html': 'copy', '.svg': 'copy', '.txt': 'copy' },
  })
  for (const { path, contents } of outputFiles) write(path, Buffer.from(contents))
  const paths = ['scripts/pages.mjs', 'package-lock.json', ...Object.keys(metafile.inputs)]
  const aside = `${record}.${process.pid}`
  writeFileSync(aside, paths.join('\n'))
  renameSync(aside, record)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages()
