/** The specification's "Marketing". */

import { array, assert, asyncProperty, maxSafeInteger, record, string } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, json, problem, specify } from './expected.ts'
import { client, email } from './known.ts'
import { type Sent, send, withBody, withJson } from './send.ts'

const sender = 'sender@example.org'
const it = await service({ environment: { SENDER_ADDRESS: sender } })
afterAll(it.close)
const usual = await service()
afterAll(usual.close)

type Client = typeof client

const formType = 'application/x-www-form-urlencoded'

/** A form with the same four names, clientInterestedIn once for each element. */
function form({ clientName, clientEmail, clientAge, clientInterestedIn }: Client): Sent {
  const pairs = new URLSearchParams({ clientName, clientEmail, clientAge: String(clientAge) })
  for (const interest of clientInterestedIn) pairs.append('clientInterestedIn', interest)
  return withBody('POST /marketing', formType, pairs.toString())
}

/** The four rules. */
const emailTo = ({ clientName, clientEmail, clientAge, clientInterestedIn }: Client) => ({
  from: sender,
  to: clientEmail,
  subject: `Hey ${clientName}, we miss you!`,
  body: `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
})

const clients = record({
  clientName: string({ unit: 'grapheme' }),
  clientEmail: string(),
  clientAge: maxSafeInteger(),
  clientInterestedIn: array(string()),
})

const part = async (name: keyof typeof email, of: Client): Promise<unknown> =>
  (comparable(await send(it.main, withJson('POST /marketing', of))).body as Record<string, unknown>)[name]

test('1. to equals clientEmail', async () => {
  expect(await part('to', { ...client, clientEmail: 'ann@example.org' })).toBe('ann@example.org')
})

test('2. from is a fixed sender address, the same for every request', async () => {
  for (const clientEmail of ['a@example.org', sender, '']) expect(await part('from', { ...client, clientEmail })).toBe(sender)
})

test('3. subject is "Hey ", then clientName, then ", we miss you!"', async () => {
  expect(await part('subject', { ...client, clientName: 'Ann' })).toBe('Hey Ann, we miss you!')
})

test('4. body is "Hi ", clientName, a comma, two line feeds, then the sentence', async () => {
  expect(await part('body', { ...client, clientAge: 70, clientInterestedIn: ['a', 'b', 'c'] })).toBe(
    "Hi Alp,\n\nSince you've recently turned 70, have you checked out our latest a, b, c products? Give us a visit!",
  )
})

specify(usual.main, [
  ['POST /marketing: 200, Email as JSON', withJson('POST /marketing', client), json(email)],
  ['the variant accepts form-urlencoded', form(client), json(email)],
])

specify(usual.docs, [
  ['it is there in the docs deployment as well', withJson('POST /marketing', client), json(email)],
  ['with the form', form(client), json(email)],
])

test('for any client, JSON and form give the same Email by the four rules', async () => {
  await assert(
    asyncProperty(clients, async (one) => {
      // A JSON text is Unicode: what URLSearchParams cannot express is left out.
      const sent: Client = JSON.parse(JSON.stringify(one))
      expect(comparable(await send(it.main, withJson('POST /marketing', sent)))).toEqual(json(emailTo(sent)))
      expect(comparable(await send(it.main, form(sent)))).toEqual(json(emailTo(sent)))
    }),
  )
})

describe('a request body that cannot be decoded yields 400', () => {
  const posted = (text: string): Sent => withBody('POST /marketing', 'application/json', text)
  const at = (pointer: string) => problem(400, {}, { in: 'body', pointer })
  const text = JSON.stringify(client)
  specify(it.main, [
    ['no body', posted(''), at('')],
    ['a body that is cut off', posted(text.slice(0, -1)), at('')],
    ['two values', posted(`${text}${text}`), at('')],
    ['a comment', posted(`/* client */ ${text}`), at('')],
    ['a comma too many', posted(text.replace('}', ',}')), at('')],
    ['quotes of another kind', posted(text.replaceAll('"', "'")), at('')],
    ['a control character in a text', posted(text.replace('Alp', 'A\nlp')), at('/clientName')],
    ['a bad escape', posted(text.replace('Alp', '\\x41')), at('/clientName')],
    ['UTF-16', withBody('POST /marketing', 'application/json', Buffer.from(text, 'utf16le')), at('')],
    ['Latin-1', withBody('POST /marketing', 'application/json', Buffer.from(text.replace('Alp', 'é'), 'latin1')), at('/clientName')],
    ['an array', posted(`[${text}]`), at('')],
    ['a text', posted(JSON.stringify(text)), at('')],
    ['null', posted('null'), at('')],
    ['a number', posted('26'), at('')],
    ['an age that is not a number', posted(text.replace('26', '"old"')), at('/clientAge')],
    ['an age that is no integer', posted(text.replace('26', '26.1')), at('/clientAge')],
    ['an age of null', posted(text.replace('26', 'null')), at('/clientAge')],
    ['interests that are no array', posted(text.replace(/\[.*\]/, '{"0":"haskell"}')), at('/clientInterestedIn')],
    ['an interest that is no string', posted(text.replace('"haskell"', '[]')), at('/clientInterestedIn/0')],
    [
      'a form without anything',
      withBody('POST /marketing', formType, ''),
      problem(400, {}, ...(['/clientName', '/clientEmail', '/clientAge'] as const).map((pointer) => ({ in: 'body' as const, pointer }))),
    ],
    [
      'JSON that is called a form',
      withBody('POST /marketing', formType, text),
      problem(400, {}, ...(['/clientName', '/clientEmail', '/clientAge'] as const).map((pointer) => ({ in: 'body' as const, pointer }))),
    ],
    ['a form with an empty age', { ...form(client), body: String(form(client).body).replace('=26', '=') }, at('/clientAge')],
    ['a form with an age in hexadecimal', { ...form(client), body: String(form(client).body).replace('=26', '=0x1a') }, at('/clientAge')],
    [
      'a form with an age beyond the integers',
      { ...form(client), body: String(form(client).body).replace('=26', '=9007199254740992') },
      at('/clientAge'),
    ],
    ['a form with bad percent-encoding', { ...form(client), body: `${form(client).body}%` }, at('/clientInterestedIn')],
  ])
})

describe('a request Content-Type that the endpoint does not accept yields 415', () => {
  const accepted = { accept: 'application/json, application/x-www-form-urlencoded' }
  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'text/json',
    'application/problem+json',
    '*/*',
    'nonsense',
    '',
  ])('%j', async (type) => {
    expect(comparable(await send(it.main, withBody('POST /marketing', type, JSON.stringify(client))))).toEqual(problem(415, accepted))
  })

  test('none at all', async () => {
    expect(comparable(await send(it.main, { line: 'POST /marketing', body: JSON.stringify(client) }))).toEqual(problem(415, accepted))
  })
})
