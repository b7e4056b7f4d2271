/** The table of web-platform-tests about media types, to the reader of `Content-Type`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseMediaType } from 'lapidary/internal'
import { createCases } from './cases.mjs'

export const title = 'web-platform-tests: media types'
export const about =
  'Each text is a `Content-Type`. The essence and the parameters must be those of the table. The table is of browsers, which read what the grammar of RFC 9110 §8.3.1 forbids; the server and the client read what it allows.'

const path = 'mimesniff/mime-types/resources/mime-types.json'

export const sources = [
  {
    repository: 'web-platform-tests/wpt',
    commit: 'b21db22dd7032c9bd18739a9752dd8181c332ba4',
    licence: 'BSD-3-Clause',
    isLarge: true,
    paths: [path],
  },
]

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  {
    outcome: 'refused',
    reason:
      'The grammar of RFC 9110 does not allow the text, or it has a parameter twice. The server rejects it rather than guess what it means.',
    includes: (_name, found) => found === 'malformed',
  },
  {
    outcome: 'refused',
    reason: 'The value that the table expects has a blank that the text does not have.',
    includes: (name) => name.includes(';<=>?'),
  },
]

/** A media type of the table as the parser returns it. */
function readOutput(output) {
  const [essence] = output.split(';')
  const parameters = [...output.matchAll(/; ([^=;]+)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs)].map(([, name, quoted, token]) => [
    name,
    quoted?.replace(/\\(.)/gs, '$1') ?? token,
  ])
  return JSON.stringify([essence, parameters])
}

export async function run([folder]) {
  const cases = createCases(reasons)
  for (const row of JSON.parse(readFileSync(join(folder, path), 'utf8'))) {
    if (typeof row === 'string') continue
    const { input, output } = row
    const found = parseMediaType(input)
    const actual = found === undefined ? 'malformed' : JSON.stringify([found.essence, [...found.parameters]])
    cases.add(JSON.stringify(input), actual === (output === null ? 'malformed' : readOutput(output)) ? undefined : actual)
  }
  return cases.list()
}
