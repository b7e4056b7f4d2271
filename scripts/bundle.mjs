// Bundles the built service for tests that start it as a process: one file starts in half the processor time of its four hundred.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../service/dist', import.meta.url))

/** As deep in `dist/` as the modules that read files beside it. */
export const bundledProgram = join(folder, 'bundle', 'main.mjs')

/** Bundles service/dist/main.js as it is: what it imports later stays in files of its own. @throws the error of esbuild */
export async function bundleProgram() {
  await build({
    entryPoints: [join(folder, 'main.js')],
    outdir: dirname(bundledProgram),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // As Node resolves packages.
    conditions: ['node'],
    mainFields: ['main'],
    // What registers the exporter of spans must find the same module.
    external: ['@node-rs/argon2', '@opentelemetry/*', 'pg-native'],
    banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
    logLevel: 'warning',
  })
}
