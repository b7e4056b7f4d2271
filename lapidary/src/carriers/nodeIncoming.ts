/** A request of node:http as a kernel sees it: nothing is parsed or copied before it is asked for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, contentTooLarge } from '../describe/errors.ts'
import { answer } from '../describe/message.ts'
import type { Ending, Incoming, Outgoing } from '../server/kernel.ts'
import type { Report } from '../server/report.ts'
import { Carried } from './carried.ts'
import { valueIn } from './headerLines.ts'
import type { Lifetime } from './lifetime.ts'
import { parsedBody } from './nodeParsed.ts'
import { takeBody } from './nodeRequest.ts'

const empty = new Uint8Array()

/** Stands for an answer that a Node listener gives by itself. */
export const taken: Outgoing = Object.freeze({ status: 0, headers: Object.freeze([]), body: null })

/** Bytes outside ASCII, which node hands over as Latin-1; percent-encoded they are read as UTF-8, or refused. */
const beyondAscii = /[\x80-\xff]/
const everyBeyondAscii = new RegExp(beyondAscii, 'g')
const encodedByte = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** `http://host/path` (RFC 9112 §3.2.2) and `/path` are the same resource here. */
const authority = /^https?:\/\/[^/?#]*/i

/** A target as a kernel sees it. */
export function originForm(target: string): string {
  let path = target
  if (path.charCodeAt(0) !== 0x2f) {
    path = path.replace(authority, '')
    if (path.charCodeAt(0) !== 0x2f) path = path.startsWith('?') || path === '' ? `/${path}` : path
  }
  return beyondAscii.test(path) ? path.replace(everyBeyondAscii, encodedByte) : path
}

/** One request on node:http. */
export class NodeIncoming extends Carried implements Incoming {
  readonly method: string
  readonly target: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes of the body of the answer, so far. */
  bytes: number
  /** Whether it is us who ended the connection. */
  cut: boolean
  /** Whether a body belongs to it. */
  private readonly hasBody: boolean
  /** Whether the client waits for `100 Continue` before it sends the body. */
  private readonly waits: boolean
  private readonly server: Lifetime

  constructor(request: IncomingMessage, response: ServerResponse, hasBody: boolean, waits: boolean, report: Report, server: Lifetime) {
    super(report)
    this.method = request.method ?? 'GET'
    this.target = originForm(request.url ?? '/')
    this.request = request
    this.response = response
    this.bytes = 0
    this.cut = false
    this.hasBody = hasBody
    this.waits = waits
    this.server = server
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  override get lifetime(): Lifetime {
    return this.server
  }

  protected override address(): string {
    return this.request.socket.remoteAddress ?? ''
  }

  protected override watch(): void {
    const { response } = this
    if (response.destroyed && !this.isSent) this.leave()
    else response.once('close', () => this.isSent || this.leave())
  }

  /** Looks at the lines as they came: node's own `headers` would drop the second line of some names in silence. */
  header(name: string): string | undefined {
    return valueIn(this.request.rawHeaders, name)
  }

  override onEnd(listener: (ending: Ending) => void): void {
    const { request, response } = this
    const tell = (): void => {
      const how = this.isSent ? 'sent' : this.cut ? 'cut' : 'left'
      // Where it has waited behind another until the connection closed, nothing of it was sent.
      const isUnsent = response.socket === null && how !== 'sent'
      const status = response.headersSent && !isUnsent ? response.statusCode : 0
      this.tell(listener, { status, bytes: isUnsent ? 0 : this.bytes, how })
    }
    if (response.closed || (response.socket === null && request.socket.closed && !this.isSent)) tell()
    else response.once('close', tell)
  }

  /** Whether all of the answer was handed to the system. Of one whose connection was destroyed before, node says that it has finished, too. */
  private get isSent(): boolean {
    const { socket } = this.request
    return this.response.writableFinished && (!socket.destroyed || socket.writableFinished)
  }

  /** Whether some of the request is still on its way. */
  get isUnread(): boolean {
    return this.hasBody && !this.request.complete
  }

  /** Whether the client holds its body back, and nobody has asked for it. */
  get holdsBack(): boolean {
    return this.waits && !this.isAsked
  }

  /** Lets a client send its body that holds it back until it hears `100 Continue`. */
  proceed(): void {
    if (this.waits) this.response.writeContinue()
  }

  body(limit: number): Promise<Uint8Array> {
    const { request, self } = this
    if (!this.isAsked && (request.readableDidRead || request.readableEnded)) return this.parsed(limit)
    return new Promise((resolve, reject) => {
      const tooLarge = (): Error => contentTooLarge({ detail: answer.bodyTooLarge(limit) })
      // Nothing is read of a body that says itself that it is too large; a client that waits for 100 Continue need not even send it.
      if (Number(this.header('content-length')) > limit) return reject(tooLarge())
      this.proceed()
      self.waitBegins()
      const fail = (error: Error): void => {
        self.waitEnds()
        reject(error)
      }
      const chunks: Buffer[] = []
      let length = 0
      const take = (chunk: Buffer | null): void => {
        if (chunk === null) {
          self.waitEnds()
          resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
          return
        }
        length += chunk.length
        if (length <= limit) return void chunks.push(chunk)
        // What is still to come is read and dropped, so that the client gets to read the answer.
        chunks.length = 0
        fail(tooLarge())
      }
      takeBody(request, take, () => fail(badRequest({ detail: answer.bodyCutOff() })))
    })
  }

  /** Of a body that a parser in front of us has read: its end does not come twice. */
  private async parsed(limit: number): Promise<Uint8Array> {
    if (!this.hasBody) return empty
    const bytes = parsedBody(this.request)
    if (bytes.length > limit) throw contentTooLarge({ detail: answer.bodyTooLarge(limit) })
    return bytes
  }
}
