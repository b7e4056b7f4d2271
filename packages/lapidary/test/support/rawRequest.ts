/** Requests whose responses come as they were sent: `fetch` would decode them. */
import { type IncomingHttpHeaders, request } from 'node:http'

/** A response, with its body as it was sent. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends a request on a connection of its own. */
export const sendRaw = (
  url: string,
  options: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array } = {},
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const message = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    message.on('error', reject)
    message.end(body)
  })
