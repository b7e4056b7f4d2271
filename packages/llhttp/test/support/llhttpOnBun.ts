/** A server on the llhttp adapter, run by Bun. It prints its adapter and its URL. */
import { listen } from '@lapidary/llhttp'

const { adapter, url } = await listen(async (request) => {
  const { method, target } = request
  const body = method === 'POST' ? ` ${new TextDecoder().decode(await request.body(100))}` : ''
  return { status: 200, headers: [], body: target + body }
})
process.stdout.write(`${adapter} ${url}\n`)
