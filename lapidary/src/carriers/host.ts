/** What a Host field may hold: `uri-host [":" port]` (RFC 9110 §7.2), and nothing that would be more than that in a URL. */

/**
 * An address in brackets, or a name whose signs stand for themselves or are percent-encoded (RFC 3986 §3.2.2). No comma, which the grammar would
 * allow and no name has: with one, two lines of Host that somebody has joined would be one host.
 */
const hostFieldPattern = /^(?:(\[[\da-f:.]+\])|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::(\d*))?$/i

/** The one that was seen last: a server is asked by the same name again and again. */
let lastValidHost = ''

/** Whether this is a host, with or without a port. So is an empty text: a client sends it that knows of none (RFC 9112 §3.2). */
export function isHost(text: string): boolean {
  if (text === lastValidHost || text === '') return true
  const found = hostFieldPattern.exec(text)
  if (found === null || Number(found[2] ?? 0) > 65_535) return false
  if (found[1] !== undefined && !URL.canParse(`http://${found[1]}`)) return false
  lastValidHost = text
  return true
}
