/** Sends an answer over node:http: its head in one call, its body in one write, or piece by piece at the reader's pace. */
import type { ServerResponse } from 'node:http'
import { isBodiless } from '../describe/status.ts'
import type { Outgoing, OutgoingBody } from '../server/kernel.ts'
import type { NodeIncoming } from './nodeIncoming.ts'

type Pieces = Exclude<OutgoingBody, string | Uint8Array | null>

function head(response: ServerResponse, { status, reason }: Outgoing, headers: readonly string[]): void {
  // Node's types want a mutable list, but it only reads.
  if (reason === undefined) response.writeHead(status, headers as string[])
  else response.writeHead(status, reason, headers as string[])
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })

/** Writes the pieces as they are made, waiting whenever the reader is slow. A producer that fails, or a reader that leaves, ends both. */
async function pump(pieces: Pieces, response: ServerResponse): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  // The client may have gone before there was anything to send; then nothing will tell us so any more.
  let left = response.destroyed
  const leave = (): void => {
    left = true
    // A producer that waits is told at once; what it says to that is nobody's business any more.
    iterator.return?.().catch(() => {})
  }
  if (left) return leave()
  response.once('close', leave)
  try {
    for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
      if (!response.write(piece.value)) await drained(response)
    }
    response.off('close', leave)
    if (!left) response.end()
  } catch {
    // The kernel has reported it. Without the last chunk the client can tell that something is missing.
    response.off('close', leave)
    response.destroy()
  }
}

/** Sends an answer; `closing` asks the client not to come back on this connection. */
export function send(outgoing: Outgoing, incoming: NodeIncoming, response: ServerResponse, closing: boolean): void {
  const { status, body } = outgoing
  const headers = closing ? [...outgoing.headers, 'Connection', 'close'] : outgoing.headers
  if (body === null) {
    const bare = isBodiless(status) || headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length')
    head(response, outgoing, bare ? headers : [...headers, 'Content-Length', '0'])
    response.end()
  } else if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    head(response, outgoing, [...headers, 'Content-Length', `${length}`])
    // As many bytes as characters: all ASCII, which is written without being encoded. Of other texts Node would encode the head as well, whose
    // values are Latin-1, so they are given to it as bytes.
    if (length === body.length) response.end(body, 'latin1')
    else response.end(Buffer.from(body))
  } else if (body instanceof Uint8Array) {
    head(response, outgoing, [...headers, 'Content-Length', `${body.byteLength}`])
    response.end(body)
  } else if (incoming.method === 'HEAD') {
    head(response, outgoing, headers)
    response.end()
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => {})
  } else {
    head(response, outgoing, headers)
    void pump(body, response)
  }
}
