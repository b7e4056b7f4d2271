/** `lapidary call` with credentials: from a flag, the environment or a prompt; they are never printed. */
import { listen, type RunningServer } from 'lapidary/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidBasicCredentials, invalidBearerToken } from '../../lapidary/src/messages/authErrors.ts'
import { type Around, type Ended, lapidary } from './support/runCli.ts'
import { small } from './support/smallApi.ts'

let listening: RunningServer
beforeAll(async () => {
  listening = await listen(small())
})
afterAll(() => listening.close({ drain: 0 }))

const call = (words: readonly string[], { environment, ...around }: Around = {}): Promise<Ended> =>
  lapidary(['call', 'smallApi.ts', ...words], { ...around, environment: { LAPIDARY_BASE: listening.url, ...environment } })

const account = { code: 0, output: 'Zoë', errors: '' }
const partner = { code: 0, output: '77', errors: '' }

describe('credentials are', () => {
  test.each<[string, readonly string[], Around, Ended]>([
    ['a name and a password', ['account', '--user', "Zoë:Zoë's word"], {}, account],
    [
      'a name, and the password in the environment',
      ['account', '--user', 'Zoë'],
      { environment: { LAPIDARY_PASSWORD: "Zoë's word" } },
      account,
    ],
    [
      'a name, and the password from a prompt',
      ['account', '--user', 'Zoë'],
      { typed: { question: 'Zoë: ', reply: "Zoë's word\n" } },
      account,
    ],
    ['a token', ['partner', '--token', 'seventy-seven'], {}, partner],
    ['the token in the environment', ['partner', '--token'], { environment: { LAPIDARY_TOKEN: 'seventy-seven' } }, partner],
    ['the token from a prompt', ['partner', '--token', '-v'], { typed: { question: 'token: ', reply: 'seventy-seven\n' } }, partner],
    ['a header', ['partner', '-H', 'authorization: Bearer seventy-seven'], {}, partner],
  ])('%s', async (_what, words, around, { code, output }) => {
    const ended = await call(words, around)
    expect({ code: ended.code, output: ended.output }).toEqual({ code, output })
    expect(ended.errors).not.toMatch(/'s word|seventy/)
  })
})

describe('an API key is', () => {
  test.each<[string, readonly string[], Around, string]>([
    ['in a header', ['machine', '--api-key', 'lathe-7'], {}, 'lathe-7'],
    ['from the environment', ['machine', '--api-key'], { environment: { LAPIDARY_API_KEY: 'lathe-7' } }, 'lathe-7'],
    ['in a cookie and in the query', ['gate', '--api-key', 'lathe-7'], {}, 'lathe-7,lathe-7'],
    ['one for each name', ['gate', '--api-key', 'gate=lathe-7 é', '--api-key', 'pass=lathe=7&'], {}, 'lathe-7 é,lathe=7&'],
  ])('%s', async (_what, words, around, output) => {
    const ended = await call([...words, '--verbose'], around)
    expect({ code: ended.code, output: ended.output }).toEqual({ code: 0, output })
    expect(ended.errors).toMatch(/\*\*\*/)
    expect(ended.errors).not.toMatch(/lathe.7/)
  })

  test('rejected where no scheme takes one', async () => {
    const { code, errors } = await call(['account', '--api-key', 'a'])
    expect([code, errors]).toEqual([
      2,
      'No auth scheme of this API takes the credentials of --api-key (its schemes: members). Send them in a header: -H "Name: value".\n',
    ])
  })
})

test('the secret of webhooks is no key of one call: it would be sent', async () => {
  const ended = await lapidary(['call', 'receiverApi.ts', 'paid', '--body', '{"id":7}', '--api-key', 'whsec_a'])
  expect(ended).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^No auth scheme of this API takes the credentials of --api-key \(its schemes: webhookSignature\)/),
  })
})

test('the first colon ends the name: a password can contain colons', async () => {
  const { code, errors } = await call(['account', '--user', 'Zoë:a:b'])
  expect(code).toBe(1)
  expect(errors).toMatch(/^401 Unauthorized\n.*"detail": "This resource requires valid credentials \(members\)\."/s)
})

test('a name with a colon behind it has an empty password, whatever the environment says', async () => {
  const { code, errors } = await call(['account', '--user', 'Zoë:'], { environment: { LAPIDARY_PASSWORD: "Zoë's word" } })
  expect([code, errors.split('\n')[0]]).toEqual([1, '401 Unauthorized'])
})

describe('credentials are rejected before a request is sent:', () => {
  const noSecret = (what: string, variable: string): string =>
    `The ${what} is missing. Add it to the flag, set ${variable}, or run the command on a terminal: the command then asks for it.`
  test.each<[string, readonly string[], Around, string]>([
    ['no password, and no terminal for a prompt', ['account', '--user', 'Zoë'], {}, noSecret('password of Zoë', 'LAPIDARY_PASSWORD')],
    ['no token, and no terminal for a prompt', ['partner', '--token'], {}, noSecret('token', 'LAPIDARY_TOKEN')],
    ['both --user and --token', ['account', '--user', 'a:b', '--token', 'c'], {}, 'Use --user or --token, not both.'],
    ['a password that cannot be sent', ['account', '--user', 'Zoë:a\tb'], {}, invalidBasicCredentials()],
    ['a token that cannot be sent', ['partner', '--token', 'seventy seven'], {}, invalidBearerToken()],
  ])('%s', async (_what, words, around, sentence) => {
    expect(await call(words, { ...around, environment: { LAPIDARY_BASE: 'http://127.0.0.1:1' } })).toEqual({
      code: 2,
      output: '',
      errors: `${sentence}\n`,
    })
  })

  test('a prompt that is closed without an answer', async () => {
    const ended = await call(['account', '--user', 'Zoë'], { typed: { question: 'Zoë: ', reply: '\u0004' } })
    expect(ended).toEqual({ code: 2, output: '', errors: `The password of Zoë: \n${noSecret('password of Zoë', 'LAPIDARY_PASSWORD')}\n` })
  })
})

test('--verbose prints both heads without secrets', async () => {
  const getVerboseOutput = async (...words: readonly string[]): Promise<string> =>
    (await call([...words, '--verbose'])).errors.replace(/^< Date: .*$/m, '< Date: …').replaceAll(listening.url.slice(7), 'HOST')
  expect(await getVerboseOutput('account', '--user', "Ann:Ann's word")).toBe(`> GET /account HTTP/1.1
> Authorization: Basic ***
> Connection: close
> Host: HOST
>
< HTTP/1.1 200 OK
< Content-Type: text/plain;charset=utf-8
< X-Content-Type-Options: nosniff
< Content-Length: 3
< Date: …
< Connection: close
<
`)
  expect(await getVerboseOutput('machine', '-H', 'X-Lathe: one')).toContain('> X-Lathe: ***\n')
  expect(await getVerboseOutput('partner', '-H', 'Authorization: seventy-seven')).toContain('> Authorization: ***\n')
  expect(
    await getVerboseOutput('order', '--body', '{"item":"tea"}', '-H', 'Cookie: a=b', '-H', 'X-Note: hey'),
  ).toContain(`> POST /orders HTTP/1.1
> Content-Type: application/json;charset=utf-8
> Content-Length: 14
> Cookie: ***
> X-Note: hey
`)
})
