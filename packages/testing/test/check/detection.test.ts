/** The check finds subtle faults: at least three for each word of the contract, by the rule that is meant. */
import { type CheckServerOptions, checkServer } from '@lapidary/testing'
import * as lapidary from 'lapidary'
import { listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { definitionKeys } from '../../../lapidary/src/contract/endpointDefinition.ts'
import { planted } from '../support/detection/allPlanted.ts'
import type { Planted } from '../support/detection/planted.ts'

const isWhole = process.env['SAMPLES'] === 'whole'

/** Two of three faults show within the first number of requests, and nearly all within the last. */
const fewRequests = [12, 25, 80]

async function failuresOf(
  server: HttpHandler,
  { api }: Planted,
  options: CheckServerOptions = {},
): Promise<readonly (readonly [endpoint: string, rule: string, violation: string])[]> {
  const { url, close } = await listen(server, { onError: () => {} })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures } = await checkServer(api, url, { requests: 200, seconds: 30, seed: 1, write: true, ...options })
  return failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])
}

describe.each(planted.map((one) => [one.words.join(', '), one] as const))('%s', (_words, one) => {
  const { right, faults, at, options } = one
  const allRequests = options?.requests ?? 200
  test.each(right.map((server, index) => [index + 1, server] as const))('a correct server has no failures (%i)', async (_index, server) => {
    // `SAMPLES=whole` sends all requests that may find a fault.
    const requests = isWhole ? allRequests : allRequests / 2
    expect(await failuresOf(server, one, { ...options, requests })).toEqual([])
    // Without credentials there is less to see, and still nothing to find.
    if (options?.credentials !== undefined) expect(await failuresOf(server, one, { requests })).toEqual([])
  })

  test.each(faults.map((fault) => ({ sentence: fault[0], fault })))('$sentence', async ({ fault }) => {
    const [, server, rule, violation, endpoint = at] = fault
    const message = typeof violation === 'string' ? expect.stringContaining(violation) : expect.stringMatching(violation)
    const isExpected = (text: string): boolean => (typeof violation === 'string' ? text.includes(violation) : violation.test(text))
    for (const requests of fewRequests) {
      const early = await failuresOf(server, one, { ...options, requests })
      if (early.some(([name, failed, text]) => name === endpoint && failed === rule && isExpected(text))) return
    }
    expect(await failuresOf(server, one, { ...options, requests: allRequests })).toContainEqual([endpoint, rule, message])
  })
})

/** Words of the contract that are no exported name and no part of an endpoint. */
const furtherWords = [
  'several responses',
  'schemas as parameters',
  'deepObject',
  'options of codecs',
  'optional body',
  'optional credentials',
  'invalid credentials',
  'scopes',
  'resume',
  'accept',
  '*path',
  'QUERY',
  'further methods',
  'cursorPagination',
  'pagePagination',
]

const fromHandlers = 'A handler writes it; on the wire it is a response, whose faults are those of `reply`.'
const inDocuments = 'It stands in documents alone: no request and no response has it.'
const inCode = 'It is a function for programs: nothing of it is on the wire.'

/** Words that a check cannot see from outside, each with the reason. */
const unseen: Readonly<Record<string, string>> = {
  tags: inDocuments,
  meta: 'Guards, providers, middleware and logs read it: no request, no response and no document has it.',
  rawBody: 'It is for the handler and the authenticator: clients see the same body.',
  summary: inDocuments,
  description: inDocuments,
  provide: 'It adds to the input of a handler: from outside it is the handler.',
  webhook: 'A server sends it, and no check calls a client: `diff` compares it, and the tests of a sender deliver it.',
  operations: inCode,
  applyMergePatch: inCode,
  htmlTemplate: inCode,
  isHttpError: inCode,
  isParseError: inCode,
  parseError: 'A codec or a media type says by it what is wrong: its faults are those of `codec` and of `mediaType`.',
  ParseError: 'A codec or a media type says by it what is wrong: its faults are those of `codec` and of `mediaType`.',
  HttpError: fromHandlers,
  respond: fromHandlers,
  withHeaders: fromHandlers,
}

describe('the words of the contract', () => {
  const words = [...new Set([...Object.keys(lapidary), ...definitionKeys, ...furtherWords])].filter((word) => unseen[word] === undefined)
  const count = (word: string): number => planted.reduce((sum, one) => sum + (one.words.includes(word) ? one.faults.length : 0), 0)

  test.each(words)('%s: at least three faults are planted', (word) => {
    expect(count(word)).toBeGreaterThanOrEqual(3)
  })

  test('each planted word is one of them, and none has a reason not to be', () => {
    expect(planted.flatMap((one) => one.words).filter((word) => !words.includes(word))).toEqual([])
  })

  test('each reason is a sentence about a word', () => {
    const known = [...Object.keys(lapidary), ...definitionKeys, 'provide']
    expect(Object.keys(unseen).filter((word) => !known.includes(word))).toEqual([])
    for (const reason of Object.values(unseen)) expect(reason).toMatch(/^[A-Z].*\.$/)
  })
})
