/** Elysia on its adapter for node:http, which knows its port only after it is ready. */
import { node } from '@elysiajs/node'
import { app } from './apps/elysia.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

app(rows, { adapter: node() }).listen({ port: 0, hostname: '127.0.0.1' }, async ({ raw }) => {
  await raw.ready()
  ready(Number(new URL(raw.url).port))
})
