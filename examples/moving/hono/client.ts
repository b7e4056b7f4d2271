import { hc } from 'hono/client'
import type { App } from './app.ts'

const client = hc<App>(`http://127.0.0.1:${process.env['PORT']}`)

const response = await client.stones[':id'].$get({ param: { id: '1' } })
if (!response.ok) throw new Error(`GET /stones/1 has ended with ${response.status}.`)
const stone = await response.json()
process.stdout.write(`${stone.name} ${new Date(stone.cutAt).getUTCFullYear()}\n`)

const missing = await client.stones[':id'].$get({ param: { id: '9' } })
process.stdout.write(`${missing.status}\n`)
