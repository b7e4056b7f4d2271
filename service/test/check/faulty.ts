/** A handler with an added fault. */
import type { HttpHandler, HttpRequest, HttpResponse } from 'lapidary/server'
import type { Fault, Seen, Whole, Words } from './faults/change.ts'

const linesOf = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []))

async function whole({ status: sent, headers, body }: HttpResponse): Promise<Whole> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return { status: sent, headers: linesOf(headers), body }
  let text = ''
  for await (const piece of body) text += typeof piece === 'string' ? piece : new TextDecoder().decode(piece)
  return { status: sent, headers: linesOf(headers), body: text }
}

/** The same request in other words. */
function worded(incoming: HttpRequest, { method, target, headers = {}, body }: Partial<Words>): HttpRequest {
  const other = (name: string): string | undefined => (name in headers ? headers[name] : incoming.header(name))
  return Object.create(incoming, {
    ...(method === undefined ? {} : { method: { value: method } }),
    ...(target === undefined ? {} : { target: { value: target } }),
    header: { value: other },
    ...(body === undefined ? {} : { body: { value: () => Promise.resolve(new TextEncoder().encode(body)) } }),
  })
}

/** A kernel with a fault. */
export const faulty =
  (kernel: HttpHandler, { change }: Fault): HttpHandler =>
  async (incoming) => {
    const { method, target } = incoming
    const seen: Seen = { method, target, header: (name) => incoming.header(name) }
    const response = await whole(await kernel(incoming))
    const again = async (words: Partial<Words>): Promise<Whole> => whole(await kernel(worded(incoming, words)))
    const { status: changed, headers, body } = await change(response, seen, again)
    return { status: changed, headers: headers.flat(), body: changed === 204 || changed === 304 ? null : body }
  }
