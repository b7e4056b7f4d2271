/** Runs the worker on this machine, in workerd, as `wrangler dev` does. */
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const { outputFiles } = await build({
  entryPoints: ['worker.ts'],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'worker'],
  external: ['cloudflare:*'],
  write: false,
})
new Miniflare({
  modules: true,
  script: outputFiles[0]?.text ?? '',
  compatibilityDate: '2025-12-01',
  bindings: { GREETING: 'The host.' },
  host: '127.0.0.1',
  port: Number(process.env['PORT']),
})
