/** A client never sends a value that would arrive changed, or not at all: it throws a TypeError with the place and the reason. */
import { array, endpoint, isHttpError, ok, optional, text, withHeaders } from 'lapidary'
import { type ClientOptions, client, credentials } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { base, createRecordingClient, partners, people } from '../support/client/recordingClient.ts'
import { thrown } from '../support/client/thrownError.ts'

const header = 'must be printable Latin-1 text, without surrounding spaces or commas in list elements. Encode it.'
const illFormed =
  'cannot be called with this input: A text with a lone surrogate cannot be encoded as UTF-8. Call toWellFormed() on it, or send it in JSON, which can escape it.'
const integer = 'cannot be written: expected an integer such as 42, within ±9007199254740991.'
const segment = 'is missing, empty, "." or "..", or has such a segment. Give it another value.'
const inForm = { contentType: 'application/x-www-form-urlencoded' }

describe('nothing is sent', () => {
  type Calls = ReturnType<typeof createRecordingClient>['calls']
  const day =
    (name: string, date = '2024-02-29') =>
    (calls: Calls) =>
      calls.day({ params: { day: date, name } })
  const noted =
    (note: string, ...tags: readonly string[]) =>
    (calls: Calls) =>
      calls.noted({ headers: { 'X-Note': note, 'X-Tags': tags } })
  /** What plain JavaScript may write against the types. */
  const wrongly = (value: unknown): never => value as never

  test.each<[what: string, call: (calls: Calls) => Promise<unknown>, sentence: string]>([
    ['for a capture that is empty', day(''), `GET /days/:day/:name: the capture :name ${segment}`],
    ['for a step up', day('..'), `GET /days/:day/:name: the capture :name ${segment}`],
    ['for a step nowhere', day('.'), `GET /days/:day/:name: the capture :name ${segment}`],
    ['for half of a surrogate pair in a path', day('a\ud800'), `GET /days/:day/:name ${illFormed}`],
    [
      'for a day that does not exist',
      day('a', '2023-02-29'),
      'GET /days/:day/:name cannot be called with this input: 2023-02-29 cannot be written: expected a calendar date such as 2024-02-29.',
    ],
    [
      'for a number that is not an integer',
      (calls) => calls.search({ query: { limit: 1.5 } }),
      `GET /search cannot be called with this input: 1.5 ${integer}`,
    ],
    [
      'for an integer beyond the safe range',
      (calls) => calls.search({ query: { limit: 2 ** 53 } }),
      `GET /search cannot be called with this input: 9007199254740992 ${integer}`,
    ],
    [
      'for a name that is not declared',
      (calls) => calls.search({ query: { sort: wrongly('size') } }),
      'GET /search cannot be called with this input: size cannot be written: expected one of age.',
    ],
    ['for half of a surrogate pair in a query', (calls) => calls.search({ query: { word: '\udfff' } }), `GET /search ${illFormed}`],
    ['for a line break in a header', noted('a\r\nX-Evil: 1'), `GET /noted: the header X-Note ${header}`],
    ['for a sign beyond Latin-1 in a header', noted('→'), `GET /noted: the header X-Note ${header}`],
    ['for spaces around a header, which would be lost', noted(' a'), `GET /noted: the header X-Note ${header}`],
    ['for a comma in an element of a list, which would be two', noted('', 'a,b'), `GET /noted: the header X-Tags ${header}`],
    ['for an empty element of a list, which would be lost', noted('', 'a', ''), `GET /noted: the header X-Tags ${header}`],
    ['for spaces around an element of a list, which would be lost', noted('', 'a '), `GET /noted: the header X-Tags ${header}`],
    [
      'for a header of the call that cannot be sent',
      (calls) => calls.hello({}, { headers: { 'X-Free': 'a\nb' } }),
      `GET /hello: the header X-Free ${header}`,
    ],
    [
      'for a header without a value',
      (calls) => calls.hello({}, { headers: { 'X-Free': wrongly(undefined) } }),
      `GET /hello: the header X-Free ${header}`,
    ],
    [
      'for a value of the wrong type in the body',
      (calls) => calls.order({ body: wrongly({ item: 1 }) }),
      'POST /orders cannot be called with this input: at "/item" expected a string, got an integer.',
    ],
    [
      'for a missing body',
      (calls) => calls.order(wrongly({})),
      'POST /orders cannot be called with this input: expected an object, got nothing.',
    ],
    [
      'for a media type that the endpoint does not accept',
      (calls) => calls.order({ body: { item: 'tea' } }, { contentType: 'text/csv' }),
      'POST /orders does not accept text/csv. Use one of application/json, application/x-www-form-urlencoded.',
    ],
    ['for half of a surrogate pair in a text', (calls) => calls.word({ body: 'a\ud800' }), `POST /words ${illFormed}`],
    ['for half of a surrogate pair in a form', (calls) => calls.order({ body: { item: '\ud800' } }, inForm), `POST /orders ${illFormed}`],
    [
      'for null in a form, where it would become a text',
      (calls) => calls.order({ body: { item: 'tea', note: null } }, inForm),
      'POST /orders cannot be called with this input: A form cannot contain the value of "note": expected a text, a number, a boolean or a list of these. Remove it, or send JSON.',
    ],
    [
      'for responses of types that cannot be read',
      (calls) => calls.page(),
      'GET /page responds only with media types that cannot be read. Give one of them a "reader", or call it with the option "accept".',
    ],
  ])('%s', async (_what, call, sentence) => {
    const { calls, sent } = createRecordingClient()
    const error = await thrown(() => call(calls))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: sentence })
    expect(sent).toEqual([])
  })

  test.each<[what: string, auth: ClientOptions['auth'], name: 'account' | 'partner', sentence: string]>([
    [
      'a user name with a colon',
      [credentials(people, { username: 'a:b', password: '' })],
      'account',
      'The user name of Basic credentials must not contain a colon, and neither it nor the password may contain control characters.',
    ],
    [
      'a token with a line break',
      [credentials(partners, 'a\r\nX-Evil: 1')],
      'partner',
      'A bearer token may contain only letters, digits and -._~+/, with = at its end.',
    ],
  ])('for credentials with %s', async (_what, auth, name, sentence) => {
    const { calls, sent } = createRecordingClient({ auth: auth ?? [] })
    await expect(calls[name]()).rejects.toThrow(new TypeError(sentence))
    expect(sent).toEqual([])
  })

  test('the message about an invalid header does not contain its value, which may be a secret', async () => {
    const { calls } = createRecordingClient({ headers: { 'X-Key': 'secret\n' } })
    expect(String(await thrown(calls.hello))).not.toContain('secret')
  })
})

describe('a handler fails with a value', () => {
  const item = endpoint('GET /told', { response: ok(text, { headers: { 'X-Note': optional(text), 'X-Tags': array(text) } }) })
  const createValue = (body: string, note: string | undefined, ...tags: readonly string[]) =>
    withHeaders(body, { 'X-Note': note, 'X-Tags': tags })
  const prefix = `GET /told: the response header`

  test.each<[what: string, value: ReturnType<typeof createValue>, sentence: string]>([
    ['with spaces around a header', createValue('', 'a '), `${prefix} X-Note ${header}`],
    ['with a comma in an element of a list', createValue('', undefined, 'a', 'b,c'), `${prefix} X-Tags ${header}`],
    ['with an empty element of a list', createValue('', undefined, ''), `${prefix} X-Tags ${header}`],
    [
      'with half of a surrogate pair',
      createValue('\ud800', undefined),
      'GET /told returned a value that its reply does not allow: A text with a lone surrogate cannot be encoded as UTF-8. Call toWellFormed() on it, or send it in JSON, which can escape it. Correct the handler or the schema.',
    ],
  ])('%s', async (_what, value, sentence) => {
    const reports: unknown[] = []
    const { fetch } = serve({ item }, { item: () => value }, { onError: (error) => reports.push(error) })
    await expect(client({ item }, base, { fetch }).item()).rejects.toSatisfy((error) => isHttpError(error, 500))
    expect(reports).toEqual([new TypeError(sentence)])
  })
})
