/** A server for `heap.test.ts`, in a process of its own: what it takes is easily wrong in a hundred thousand places. */
import { content, endpoint, form, json, list, ndjson, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const { listen } = await import(process.argv[2] === 'llhttp' ? '@lapidary/llhttp' : 'lapidary/node')

const api = {
  names: endpoint('POST /names', { body: content(z.object({ names: z.array(z.string()) }), json, form), response: ok(text) }),
  lists: endpoint('POST /lists', { body: z.record(z.string(), z.array(z.string())), response: ok(text) }),
  lines: endpoint('POST /lines', { body: ndjson(z.object({ names: z.array(z.string()) })), response: ok(text) }),
  own: endpoint('POST /own', { body: list(z.string()), response: ok(text) }),
  objects: endpoint('POST /objects', {
    body: z.array(z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string(), e: z.string(), f: z.string(), g: z.string() })),
    response: ok(text),
  }),
}
const taken = () => 'taken'
const lines = async ({ body }) => {
  for await (const _ of body);
  return 'taken'
}
const handlers = { names: taken, lines, lists: taken, own: taken, objects: taken }
const { port } = await listen(serve(api, handlers), { port: 0, host: '127.0.0.1' })
process.stdout.write(`${port}\n`)
