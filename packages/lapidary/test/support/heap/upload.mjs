/** A client that sends 200 MB as a stream, in a process of its own; it prints by how much its memory has grown at most, in bytes. */
import { byteStream, endpoint, json, ok } from 'lapidary'
import { client } from 'lapidary/client'

const [, , url = ''] = process.argv
const api = { put: endpoint('PUT /put', { body: byteStream(), response: ok(json) }) }
const call = client(api, url)

// One for all: under load, garbage of the source would count as memory of the client.
const chunk = new Uint8Array(1_000_000)
async function* chunks(count) {
  for (let index = 0; index < count; index += 1) yield chunk
}

// What a first request loads is not what a large one needs.
await call.put({ body: chunks(5) })
const before = process.resourceUsage().maxRSS
const size = await call.put({ body: chunks(200) })
process.stdout.write(JSON.stringify({ size, growth: (process.resourceUsage().maxRSS - before) * 1_024 }))
