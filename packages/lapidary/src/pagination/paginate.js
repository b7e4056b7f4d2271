/** One link of a Link header: its target, and its parameters (RFC 8288 §3). */
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s=;,<>"]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\s;,<>"]*))?)*)/g
const relationPattern = /;\s*rel=(?:"([^"]*)"|([^\s;,"]*))/i
/** The `range` parameter of the link to the next page. */
function getNextRange(header) {
  for (const [, target = '', parameters = ''] of header.matchAll(linkPattern)) {
    const [, quoted, bare = ''] = relationPattern.exec(parameters) ?? []
    if (!(quoted ?? bare).toLowerCase().split(/\s+/).includes('next')) continue
    const question = target.indexOf('?')
    const query = question < 0 ? '' : target.slice(question).replace(/#.*$/, '')
    return new URLSearchParams(query).get('range') ?? undefined
  }
  return undefined
}
/**
 * Walks a collection: `for await (const color of pages(call.colors, { range: 'name; limit 50' }))`. It follows the `Link` of each page, so that
 * items which nobody touches come once each while others come and go; where a server sends none, it follows `Next-Range`. A walk that is left early asks no further.
 *
 * @throws Error when the next page of a page is that page again, and whatever `call` throws.
 */
export async function* paginate(call, { range, signal } = {}) {
  let asked = range
  for (;;) {
    signal?.throwIfAborted()
    const { body, headers } = await call({ headers: { Range: undefined }, query: { range: asked } }, signal === undefined ? {} : { signal })
    yield* body
    const next = (headers.Link === undefined ? undefined : getNextRange(headers.Link)) ?? headers['Next-Range']
    if (next === undefined) return
    if (next === asked)
      throw new Error(
        `The next page of "${asked}" is that page itself, so that this walk would never end. Mend the server's Link or Next-Range.`,
      )
    asked = next
  }
}
