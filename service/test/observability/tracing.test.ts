/** The parser of `traceparent` is as strict as W3C Trace Context. */
import { expect, test } from 'vitest'
import { parseTraceId } from '../../src/observability/tracing.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'
const sound = `00-${trace}-${span}-01`

test.each([
  ['recorded', sound],
  ['not recorded', `00-${trace}-${span}-00`],
  ['with flags that are not known yet', `00-${trace}-${span}-fe`],
  ['of a later version', `01-${trace}-${span}-01`],
  ['of a later version, which has more to say', `cc-${trace}-${span}-01-what-the-future-brings`],
])('a trace %s is accepted', (_what, traceparent) => {
  expect(parseTraceId(traceparent)).toBe(trace)
})

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['upper case', sound.toUpperCase()],
  ['the version that is none', `ff-${trace}-${span}-01`],
  ['more than its version has', `${sound}-more`],
  ['something behind it', `${sound}.`],
  ['more of a later version, without a hyphen', `01-${trace}-${span}-01.more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['a short trace', `00-${trace.slice(1)}-${span}-01`],
  ['signs that are no digits', `00-${trace.slice(1)}g-${span}-01`],
  ['two lines', `${sound}, ${sound}`],
  ['a space before it', ` ${sound}`],
  ['a line feed behind it', `${sound}\n`],
])('%s is no valid trace', (_what, traceparent) => {
  expect(parseTraceId(traceparent)).toBeUndefined()
})
