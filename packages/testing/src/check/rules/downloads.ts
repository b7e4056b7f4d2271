/** The rule about files: their validators, their ranges and their conditions (RFC 9110 §13, §14). */
import type { WireResponse } from '../exchange.ts'
import { canReachHandler, type Probe } from '../rule.ts'
import { findUsualResponse, isStrongTag, otherETag, withCondition } from './conditions.ts'

/** A request for a part of a file: the value of Range, and what it gets. */
interface RangeCase {
  readonly range: string
  readonly status: 200 | 206 | 416
  /** The position of the first byte of a 206, and the one after its last. */
  readonly part?: readonly [start: number, end: number]
}

/** The ranges of a file of this size. One that is malformed is ignored (RFC 9110 §14.2). */
const listRangeCases = (size: number): readonly RangeCase[] => [
  { range: `bytes=${size}-`, status: 416 },
  { range: 'bytes=2-1', status: 200 },
  ...(size === 0
    ? []
    : ([
        { range: 'bytes=0-0', status: 206, part: [0, 1] },
        { range: `bytes=${size - 1}-`, status: 206, part: [size - 1, size] },
        { range: 'bytes=-1', status: 206, part: [size - 1, size] },
        { range: `bytes=0-${size + 10}`, status: 206, part: [0, size] },
      ] satisfies readonly RangeCase[])),
]

/** What is wrong with the response to a range of a file. */
function findRangeViolation({ range, status, part }: RangeCase, whole: Uint8Array, response: WireResponse): string | undefined {
  if (response.status !== status) return `Range is ${range}: expected ${status}, got ${response.status}`
  const [start, end] = part ?? [0, whole.length]
  const expected = status === 416 ? `bytes */${whole.length}` : part && `bytes ${start}-${end - 1}/${whole.length}`
  const contentRange = response.header('content-range')
  if (expected !== undefined && contentRange !== expected)
    return `Range is ${range}: expected Content-Range to be ${expected}, got ${contentRange ?? 'none'}`
  if (status === 416 || Buffer.compare(response.body, whole.subarray(start, end)) === 0) return undefined
  return `Range is ${range}: the body is not that part of the file`
}

export const downloadRule: Probe = {
  name: 'download',
  description: 'A file has a strong ETag, which stays while the file does. Ranges get 206 or 416, and conditions get 304 or 412.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.download !== undefined,
  probe: async (context) => {
    const { send, fail } = context
    const [request, first] = (await findUsualResponse(context)) ?? []
    if (request === undefined || first === undefined) return
    const tag = first.header('etag')
    if (!isStrongTag(tag)) return fail(`expected a strong ETag, got ${tag ?? 'none'}`)
    const again = await send(request, 'valid')
    const isSame = Buffer.compare(first.body, again.body) === 0
    const isSameTag = again.header('etag') === tag
    if (isSame !== isSameTag)
      fail(
        isSame ? `the same file again has the ETag ${again.header('etag') ?? 'none'}, not ${tag}` : `another file has the same ETag ${tag}`,
      )
    // A file that changes between two requests has no version to ask for again.
    if (!isSame) return

    for (const one of listRangeCases(first.body.length)) {
      const violation = findRangeViolation(one, first.body, await send(withCondition(request, 'Range', one.range), 'valid'))
      if (violation !== undefined) fail(violation)
    }
    const range = 'bytes=0-'
    const expectStatus = async (name: string, value: string, status: number): Promise<void> => {
      const conditional = withCondition(request, name, value)
      const probe = name === 'If-Range' ? { ...conditional, headers: [...conditional.headers, ['Range', range] as const] } : conditional
      const response = await send(probe, 'valid')
      if (response.status !== status) fail(`${name} is ${value}: expected ${status}, got ${response.status}`)
    }
    await expectStatus('If-None-Match', tag, 304)
    await expectStatus('If-None-Match', otherETag, 200)
    await expectStatus('If-Match', tag, 200)
    await expectStatus('If-Match', otherETag, 412)
    await expectStatus('If-Range', otherETag, 200)
    if (first.body.length > 0) await expectStatus('If-Range', tag, 206)
  },
}
