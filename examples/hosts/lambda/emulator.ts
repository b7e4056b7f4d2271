/** Stands for AWS, which does not run here: makes events of requests as its documentation says, and reads responses as it does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PassThrough, type Writable } from 'node:stream'
import type { LambdaEvent, LambdaResult } from 'lapidary/lambda'

/** As the runtime does by its published source: the head is JSON and eight zero bytes, and comes with the first write. */
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from: (stream: Writable, head: object) => {
        const write = stream.write.bind(stream)
        let isFirst = true
        const writeWithHead = (chunk: string | Uint8Array): boolean => {
          if (isFirst) write(Buffer.concat([Buffer.from(JSON.stringify(head)), Buffer.alloc(8)]))
          isFirst = false
          return write(chunk)
        }
        return Object.assign(stream, { write: writeWithHead })
      },
    },
  },
})

/** Types whose bodies arrive as a text. All others arrive in Base64. */
const textTypes = /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded))/

/** An event of payload format 2.0. The whole body has arrived before. */
async function createEvent(request: IncomingMessage, decodePath: (path: string) => string): Promise<LambdaEvent> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = 'GET', url = '/', headers } = request
  const [path = '', ...query] = url.split('?')
  const { cookie, ...others } = headers
  const isText = textTypes.test(headers['content-type'] ?? '')
  return {
    rawPath: decodePath(path),
    rawQueryString: query.join('?'),
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    cookies: cookie?.split('; '),
    body: chunks.length === 0 ? undefined : Buffer.concat(chunks).toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: chunks.length > 0 && !isText,
    requestContext: { http: { method, sourceIp: '198.51.100.7' } },
  }
}

const writeHead = (response: ServerResponse, { statusCode, headers, cookies }: Omit<LambdaResult, 'body' | 'isBase64Encoded'>): void =>
  void response.writeHead(statusCode, [...Object.entries(headers), ...cookies.map((line): [string, string] => ['set-cookie', line])].flat())

/** Sends what a function writes: first its head, and then each chunk as it comes. */
function createStream(response: ServerResponse): PassThrough {
  const stream = new PassThrough()
  let head = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf(Buffer.alloc(8))
    if (end < 0) return
    writeHead(response, JSON.parse(head.subarray(0, end).toString()) as LambdaResult)
    response.flushHeaders()
    if (head.length > end + 8) response.write(head.subarray(end + 8))
  })
  stream.on('end', () => response.end())
  return stream
}

const listen = (respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void => {
  const server = createServer((request, response) => respond(request, response).catch(() => void response.destroy()))
  server.listen(Number(process.env['PORT']), '127.0.0.1')
}

/** A function URL with the invoke mode RESPONSE_STREAM: the function has all paths. */
export const serveFunctionUrl = (handler: (event: LambdaEvent, stream: PassThrough) => Promise<void>): void =>
  listen(async (request, response) => handler(await createEvent(request, (path) => path), createStream(response)))

/** An HTTP API with the routes `ANY /api/{proxy+}`, of the function, and `GET /about`. It decodes paths, and cuts them at a question mark. */
export const serveHttpApi = (handler: (event: LambdaEvent) => Promise<LambdaResult>): void =>
  listen(async (request, response) => {
    if (request.url === '/about') return void response.end('The host.')
    if (!request.url?.startsWith('/api/')) return void response.writeHead(404).end('{"message":"Not Found"}')
    const result = await handler(await createEvent(request, (path) => decodeURIComponent(path).split('?', 1)[0] ?? ''))
    writeHead(response, result)
    response.end(Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8'))
  })
