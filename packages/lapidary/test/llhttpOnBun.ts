/** A server that asks for the llhttp adapter, run by bun: it says by what it listens, and where. */
import { listen } from 'lapidary/llhttp'

const { adapter, url } = await listen(async (request) => {
  const { method, target } = request
  const body = method === 'POST' ? ` ${new TextDecoder().decode(await request.body(100))}` : ''
  return { status: 200, headers: [], body: target + body }
})
process.stdout.write(`${adapter} ${url}\n`)
