/** A strict reader of HTTP/1.1 responses: the replies of a connection, and violations of RFC 9112. */

export interface Reply {
  readonly status: number
  readonly reason: string
  /** By lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Whether all of it came. */
  readonly whole: boolean
}

export interface Read {
  /** Without those that only say to go on (1xx). */
  readonly replies: readonly Reply[]
  /** The statuses of those (100). */
  readonly interim: readonly number[]
  readonly flaws: readonly string[]
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) ([\t\x20-\x7e\x80-\xff]*)$/
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e\x80-\xff]*)$/
/** Several lines of these are one list; of any other header a second line is a flaw. */
const lists = new Set(['vary', 'link', 'allow', 'cache-control', 'set-cookie', 'www-authenticate'])

interface Body {
  readonly body: string
  readonly next: number
  readonly whole: boolean
}

/** The chunks that start here. */
function chunksAt(bytes: string, start: number, flaw: (text: string) => void): Body {
  let body = ''
  for (let at = start; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = bytes.slice(at, end)
    if (end < 0) return { body, next: bytes.length, whole: false }
    if (!/^[0-9a-fA-F]+$/.test(size)) {
      flaw(`a chunk size ${JSON.stringify(size.slice(0, 50))}`)
      return { body, next: bytes.length, whole: false }
    }
    const length = Number.parseInt(size, 16)
    const behind = end + 2 + length
    if (bytes.length < behind + 2) return { body: body + bytes.slice(end + 2), next: bytes.length, whole: false }
    if (bytes.slice(behind, behind + 2) !== '\r\n') flaw('a chunk that is longer than its size')
    if (length === 0) return { body, next: behind + 2, whole: true }
    body += bytes.slice(end + 2, behind)
    at = behind + 2
  }
}

/** The body behind a head, by the one framing that it may have. */
function bodyAt(
  bytes: string,
  start: number,
  method: string | undefined,
  reply: Omit<Reply, 'body' | 'whole'>,
  flaw: (text: string) => void,
): Body {
  const { status, headers } = reply
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (length !== undefined && coding !== undefined) flaw('both a length and chunks')
  if (length !== undefined && !/^(0|[1-9][0-9]*)$/.test(length)) flaw(`a length ${JSON.stringify(length)}`)
  if (coding !== undefined && coding !== 'chunked') flaw(`a transfer coding ${JSON.stringify(coding)}`)
  if ((status < 200 || status === 204) && (length ?? coding) !== undefined) flaw(`a ${status} with the framing of a body`)
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { body: '', next: start, whole: true }
  if (coding !== undefined) return chunksAt(bytes, start, flaw)
  if (length === undefined) {
    // Only HTTP/1.0 has bodies that end with their connection.
    const ends = headers.get('connection') === 'close'
    if (!ends) flaw('neither a length nor chunks')
    return { body: bytes.slice(start), next: bytes.length, whole: ends }
  }
  const next = start + Number(length)
  return { body: bytes.slice(start, next), next, whole: next <= bytes.length }
}

/** Reads what came, as Latin-1, in reply to requests of these methods. What is still on its way is a reply that is not whole. */
export function repliesIn(bytes: string, methods: readonly string[]): Read {
  const replies: Reply[] = []
  const interim: number[] = []
  const flaws: string[] = []
  const flaw = (text: string): void => void flaws.push(`reply ${replies.length + 1}: ${text}`)
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) {
      if (!'HTTP/1.1 '.startsWith(bytes.slice(at, at + 9))) flaw(`bytes that are none: ${JSON.stringify(bytes.slice(at, at + 60))}`)
      replies.push({ status: 0, reason: '', headers: new Map(), body: Buffer.alloc(0), whole: false })
      break
    }
    const [first = '', ...lines] = bytes.slice(at, end).split('\r\n')
    const [, status = '0', reason = ''] = statusLine.exec(first) ?? []
    if (status === '0') {
      flaw(`a status line ${JSON.stringify(first.slice(0, 60))}`)
      break
    }
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, written = '', value = ''] = headerLine.exec(line) ?? []
      const name = written.toLowerCase()
      if (name === '' || value !== value.trim()) flaw(`a header line ${JSON.stringify(line.slice(0, 60))}`)
      const before = headers.get(name)
      if (before !== undefined && !lists.has(name)) flaw(`two lines of ${name}`)
      headers.set(name, before === undefined ? value : `${before}, ${value}`)
    }
    const reply = { status: Number(status), reason, headers }
    const { body, next, whole } = bodyAt(bytes, end + 4, methods[replies.length], reply, flaw)
    at = next
    if (reply.status < 200) interim.push(reply.status)
    else replies.push({ ...reply, body: Buffer.from(body, 'latin1'), whole })
  }
  return { replies, interim, flaws }
}
