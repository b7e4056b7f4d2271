// Builds what browsers load, when a source has changed: the pages of the service into service/dist, and the assets of the documentation page
// into packages/docs-page/assets/index.js.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'service/dist')
const assetFolder = join(root, 'packages/docs-page/assets')
const assetModule = join(assetFolder, 'index.js')
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
    statSync(assetModule)
    const { mtimeMs } = statSync(record)
    return readFileSync(record, 'utf8')
      .split('\n')
      .every((path) => statSync(join(root, path)).mtimeMs < mtimeMs)
  } catch {
    return false // There is no build yet, or a file is missing.
  }
}

/** What all builds have in common. */
const options = {
  absWorkingDir: root,
  outdir: folder,
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
  format: 'esm',
  target: ['chrome111', 'firefox115', 'safari16.4'],
}

/** Removes what an earlier version built: the service serves all files of the folders. */
function removeOthers(built) {
  for (const name of ['pages', 'assets'])
    for (const path of readdirSync(join(folder, name)).map((file) => join(folder, name, file))) if (!built.includes(path)) rmSync(path)
}

/** Builds the pages of the service. @returns the files that were read @throws the error of esbuild */
async function buildServicePages(build) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [
      { in: 'service/src/browser/start.html', out: 'pages/start' },
      ...['start.ts', 'start.css', 'icon.svg']
        .map((name) => `service/src/browser/${name}`)
        .map((path) => ({ in: path, out: `assets/${parse(path).name}` })),
    ],
    // By the paths of tsconfig.base.json, the toolkit comes from its sources, whether it has been built or not.
    loader: { '.html': 'copy', '.svg': 'copy' },
  })
  for (const { path, contents } of outputFiles) write(path, Buffer.from(contents))
  removeOthers(outputFiles.map(({ path }) => path))
  return Object.keys(metafile.inputs)
}

const swaggerUiLicenses = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => `node_modules/swagger-ui-dist/${name}`)

/** A file of the documentation page, as packages/docs-page/assets/index.d.ts describes it. */
const toAsset = (name, type, content) => ({
  name: name.replace(/(?=\.\w+$)/, `-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`),
  type,
  gzip: gzipSync(content, { level: 9 }).toString('base64'),
})

/** Builds the assets of the documentation page. @returns the files that were read @throws the error of esbuild */
async function buildDocumentationPage(build) {
  const licenseTexts = swaggerUiLicenses.map((path) => readFileSync(join(root, path), 'utf8').trim())
  const licenseText = Buffer.from(`${licenseTexts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`)
  const licenses = toAsset('licenses.txt', 'text/plain;charset=utf-8', licenseText)
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: ['page.ts', 'page.css', 'oauth2Redirect.ts'].map((name) => `packages/docs-page/src/browser/${name}`),
    legalComments: 'none',
    banner: { js: `/*! The libraries herein and their licenses: ${licenses.name} */` },
  })
  const read = (name, type) => {
    const { contents } = outputFiles.find(({ path }) => parse(path).base === name)
    return toAsset(name, type, contents)
  }
  const assets = {
    script: read('page.js', 'text/javascript;charset=utf-8'),
    style: read('page.css', 'text/css;charset=utf-8'),
    redirectScript: read('oauth2Redirect.js', 'text/javascript;charset=utf-8'),
    licenses,
  }
  const text = Object.entries(assets).map(([name, asset]) => `export const ${name} = ${JSON.stringify(asset)}\n`)
  write(join(assetFolder, 'licenses.txt'), licenseText)
  write(assetModule, Buffer.from(text.join('')))
  // The manifest says which modules have side effects.
  return [...Object.keys(metafile.inputs), ...swaggerUiLicenses, 'packages/docs-page/package.json']
}

/** Builds the pages. @throws the error of esbuild */
export async function buildPages() {
  if (isFresh()) return
  const { build } = await import('esbuild')
  const inputs = await Promise.all([buildServicePages(build), buildDocumentationPage(build)])
  const paths = ['scripts/pages.mjs', 'package-lock.json', ...inputs.flat()]
  mkdirSync(dirname(record), { recursive: true })
  const aside = `${record}.${process.pid}`
  writeFileSync(aside, paths.join('\n'))
  renameSync(aside, record)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages()
