/** Header lines as they came or as they leave, flat: name, value, name, value. Names come in any case (RFC 9110 §5.1). */
/** Whether a header line has this name, which is in lower case. */
export function isHeaderNamed(line, name) {
  if (line.length !== name.length) return false
  if (line === name) return true
  for (let index = 0; index < name.length; index += 1) {
    const code = line.charCodeAt(index)
    if ((code >= 0x41 && code <= 0x5a ? code + 0x20 : code) !== name.charCodeAt(index)) return false
  }
  return true
}
/** The value under a name, which is in lower case; of several lines, the values joined by a comma. */
export function getHeader(lines, name) {
  let found
  let others
  for (let index = 0; index < lines.length; index += 2) {
    if (!isHeaderNamed(lines[index], name)) continue
    const value = lines[index + 1]
    if (found === undefined) found = value
    else if (others === undefined) others = [value]
    else others.push(value)
  }
  return others === undefined ? found : [found, ...others].join(', ')
}
// What a Host field may hold: `uri-host [":" port]` (RFC 9110 §7.2), and nothing that would be more than that in a URL.
/**
 * An address in brackets, or a name whose signs stand for themselves or are percent-encoded (RFC 3986 §3.2.2). No comma, which the grammar would
 * allow and no name has: with one, two lines of Host that somebody has joined would be one host.
 */
const hostFieldPattern = /^(?:(\[[\da-f:.]+\])|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::(\d*))?$/i
/** The one that was seen last: a server is asked by the same name again and again. */
let lastValidHost = ''
/** Whether this is a host, with or without a port. So is an empty text: a client sends it that knows of none (RFC 9112 §3.2). */
export function isHost(text) {
  if (text === lastValidHost || text === '') return true
  const found = hostFieldPattern.exec(text)
  if (found === null || Number(found[2] ?? 0) > 65_535) return false
  if (found[1] !== undefined && !URL.canParse(`http://${found[1]}`)) return false
  lastValidHost = text
  return true
}
// What may stand in a header line: its name and its value (RFC 9110 §5).
const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Characters that cannot stand in a value: line breaks and other controls, and what is not Latin-1. */
const illegalValueCharacters = /[^\t\x20-\x7e\x80-\xff]/
/** Whether a text can be the name of a header. */
export const isHeaderName = (text) => headerNamePattern.test(text)
/** Whether a value can be sent in a header as it is. */
export const isHeaderValue = (value) => typeof value === 'string' && !illegalValueCharacters.test(value)
/** Whether each value has a line of its own: a cookie may have commas in it (RFC 9110 §5.3). The one that is no list and comes more than once. */
export const isSetCookie = (name) => name.toLowerCase() === 'set-cookie'
/** The elements of a list in a header (RFC 9110 §5.6.1); empty ones do not count. */
export const splitHeaderList = (text) =>
  text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
/** The text of one line that these values are read from again, each as it is; undefined where no line can hold them. */
export function joinHeaderValues(values, isList) {
  const text = values.join(',')
  const read = isList ? splitHeaderList(text) : [text.trim()]
  // As many elements as values, with the same commas between them: they are the same.
  return values.every(isHeaderValue) && read.length === values.length && read.join() === text ? text : undefined
}
// What an answer says of its media type.
/**
 * Flat: name, value, name, value. The type is what it is called: without `nosniff` browsers would guess, and could be made to run as a script
 * what was meant as data.
 */
export const createContentTypeHeaders = (type) => ['Content-Type', type, 'X-Content-Type-Options', 'nosniff']
