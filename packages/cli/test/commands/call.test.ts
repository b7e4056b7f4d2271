/** `lapidary call`: from its arguments to a request, and from the response to its output. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { listen, type RunningServer } from 'lapidary/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invalidCaptureValue, invalidClientBase, invalidRequestHeader } from '../../../lapidary/src/messages/developerErrors.ts'
import { everything } from '../../../lapidary/test/support/everything.ts'
import { type Around, begin, type Ended, folder, lapidary } from '../support/runCli.ts'

let listening: RunningServer
beforeAll(async () => {
  listening = await listen(everything({ onError: () => {} }))
})
afterAll(() => listening.close({ drain: 0 }))

const words = (own: readonly string[]): readonly string[] => ['call', 'everything.ts', ...own]
const call = (own: readonly string[], around: Around = {}): Promise<Ended> =>
  lapidary(words(own), { ...around, environment: { LAPIDARY_BASE: listening.url } })

const ann = '{"name":"Ann","age":36,"born":"1988-02-29"}'
const ben = '{"name":"Ben","age":7,"born":"2017-07-01"}'
const order = '{"item":"tea","tags":["a","b"]}'

describe('a call prints the body unchanged', () => {
  test.each<[readonly string[], string]>([
    [['point', '--x', '1', '--y', '-2'], '{"x":1,"y":-2}'],
    [['point', '--y=2', '--x=1'], '{"x":1,"y":2}'],
    [['GET', '/points/1/2'], '{"x":1,"y":2}'],
    [['get', '/points/1/2/'], '{"x":1,"y":2}'],
    [['GET', '/points/:x/:y', '--x', '3', '--y', '4'], '{"x":3,"y":4}'],
    [['GET', '/files/a/b%20c'], 'a/b c'],
    [['GET', '/files/*path', '--path', 'a/b c'], 'a/b c'],
    [['GET', '/colours/newest'], '{"hex":"663399","name":"rebeccapurple"}'],
    [['greeting', '--name', 'Zoë / Ann'], 'Hello, Zoë / Ann!'],
    [['GET', '/greetings/Zo%C3%AB%20%2F%20Ann'], 'Hello, Zoë / Ann!'],
    [['GET', '/greetings/Zoë Ann'], 'Hello, Zoë Ann!'],
    [['greeting', '--name', '--help'], 'Hello, --help!'],
    [['greeting', '--name', '-value'], 'Hello, -value!'],
    [['people.item', '--id', '1'], ann],
    [['search', '--word', ''], '{"word":"","loud":false,"tag":[],"size":[]}'],
    [['GET', '/search?word=a+b&tag=x&loud&tag=y'], '{"word":"a b","loud":true,"tag":["x","y"],"size":[]}'],
    [['GET', '/search', '--word', 'a b', '--tag', 'x'], '{"word":"a b","loud":false,"tag":["x"],"size":[]}'],
    [['depth', '--x-depth', '3', '--x-tag', 'a', '--x-tag', 'b', '--x-note', 'é'], '{"X-Depth":3,"X-Tag":["a","b"],"X-Note":"é"}'],
    [['page', '--query-range', 'age; order asc'], `[${ben}]`],
    [['page', '--header-range', 'age; order desc'], `[${ann}]`],
    [['order', '--body', order], '{"count":1,"item":"tea"}'],
    [['order', '-H', 'Content-Type: application/x-www-form-urlencoded', '--body', 'item=tea&count=3&tags=a'], '{"count":3,"item":"tea"}'],
    // Each call has a new key, unless it is given one.
    [['payment', '--body', '{"amount":7}'], '{"amount":7}'],
    [['payment', '--body', '{"amount":8}'], '{"amount":8}'],
    [['payment', '--idempotency-key', 'one', '--body', '{"amount":7}'], '{"amount":7}'],
    [['payment', '--idempotency-key', '"one"', '--body', '{"amount":7}'], '{"amount":7}'],
    [['echo.json', '--body', ' [1.50, null] '], '[1.5,null]'],
    [['echo.text', '--body', 'naïve'], 'naïve'],
    [['echo.text', '--body', ''], ''],
    [['visitors', '-H', 'accept: text/csv'], 'Ann,36,1988-02-29\nBen,7,2017-07-01\n'],
    [['machine', '--header', 'X-Api-Key:lathe'], 'lathe'],
    [['stream'], `${ann}\n${ben}\n`],
    [['remind'], 'Nothing to note.'],
    [['remind', '--body', '{"note":"tea"}'], 'tea'],
  ])('%j', async (own, output) => {
    const { code, output: got, errors } = await call(own)
    expect([code, got, output === '' ? '' : errors]).toEqual([0, output, ''])
  })

  test('bytes unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const around = { input: bytes, environment: { LAPIDARY_BASE: listening.url } }
    const { bytes: got } = await begin(words(['echo.bytes', '--body', '-']), around).ended
    expect([...got]).toEqual([...bytes])
  })

  test('a body can come from a file, relative to the working directory', async () => {
    const own = folder()
    writeFileSync(join(own, 'order.json'), order)
    const module = new URL('../../../lapidary/test/support/everything.ts', import.meta.url).pathname
    const ended = await lapidary(['call', module, 'order', '--body', '@order.json', '--base', listening.url], { folder: own })
    expect(ended).toEqual({ code: 0, output: '{"count":1,"item":"tea"}', errors: '' })
  })
})

describe('a form is made of its parts', () => {
  const module = new URL('../../../lapidary/test/support/everything.ts', import.meta.url).pathname
  const text = 'Line one.\r\nLine two.'

  test.each<[what: string, flags: readonly string[], output: string]>([
    ['texts and a file', ['gallery', '--form', 'title=Dawn = "1"', '--form', 'photo=@photo.png'], 'Dawn = "1": 20 bytes'],
    ['a file of another folder', ['gallery', '-F', 'title=Dawn', '-F', 'photo=@deep/a b.png'], 'Dawn: 20 bytes'],
    ['a file with its media type', ['gallery', '-F', 'title=Dawn', '-F', 'photo=@photo.bin;type=image/x-own'], 'Dawn: 20 bytes'],
    ['a file of standard input', ['gallery', '-F', 'title=Dawn', '-F', 'photo=@-;type=image/png'], 'Dawn: 5 bytes'],
    ['a text that begins as a file does', ['gallery', '-F', 'title=@dawn'], '@dawn: 0 bytes'],
    ['a form that is read part by part', ['film', '-F', 'title=Dawn', '-F', 'film=@film.mp4', '-F', 'year=1994'], 'Dawn: 20 bytes'],
    ['a form without files', ['order', '-F', 'item=tea & milk', '-F', 'count=3', '-F', 'tags=a'], '{"count":3,"item":"tea & milk"}'],
  ])('%s', async (_what, flags, output) => {
    const own = folder()
    mkdirSync(join(own, 'deep'))
    for (const name of ['photo.png', 'photo.bin', 'film.mp4', 'deep/a b.png']) writeFileSync(join(own, name), text)
    const ended = await lapidary(['call', module, ...flags, '--base', listening.url], { folder: own, input: 'input' })
    expect(ended).toEqual({ code: 0, output, errors: '' })
  })

  test('the help lists the parts', async () => {
    expect((await call(['gallery', '--help'])).output).toContain(`
Parts of the form:
  --form title=TEXT  (text, required)
  --form photo=@FILE  (image/*)
  --form notes=TEXT  (list of text, may be repeated)
`)
  })

  test('the server refuses a file of another type, which its name tells', async () => {
    const own = folder()
    writeFileSync(join(own, 'notes.txt'), text)
    const flags = ['gallery', '-F', 'title=Dawn', '-F', 'photo=@notes.txt']
    const { code, errors } = await lapidary(['call', module, ...flags, '--base', listening.url], { folder: own })
    expect([code, errors]).toEqual([1, expect.stringMatching(/^415 Unsupported Media Type\n.*image\/\*/s)])
  })
})

describe('a response without a body is printed as a status line on standard error', () => {
  test.each<[readonly string[], string]>([
    [['people.remove', '--id', '1'], '204 No Content'],
    [['people.create', '--body', ann], '201 Created, Location: /people/36'],
    [['HEAD', '/points/1/2'], '200 OK'],
  ])('%j', async (own, errors) => {
    expect(await call(own)).toEqual({ code: 0, output: '', errors: `${errors}\n` })
  })
})

describe('an error is printed as a status line and its body', () => {
  /** Problem details, indented below the status. */
  const problem = (line: string, status: number, detail: string): string =>
    `${line}\n${JSON.stringify({ type: 'about:blank', title: line.slice(4), status, detail }, null, 2)}`

  test.each<[string, readonly string[], string]>([
    ['a declared one', ['people.item', '--id', '7'], problem('404 Not Found', 404, 'There is no person 7.')],
    [
      'one with its own body',
      ['order', '--body', '{"item":"nothing","tags":[]}'],
      '409 Conflict\n{\n  "item": "nothing",\n  "again": null\n}',
    ],
    ['one of the toolkit', ['account'], problem('401 Unauthorized', 401, 'This resource requires valid credentials (members).')],
  ])('%s', async (_what, own, errors) => {
    expect(await call(own)).toEqual({ code: 1, output: '', errors: `${errors}\n` })
  })

  test.each<[string, readonly string[], Around, readonly string[]]>([
    [
      'a body that its schema rejects',
      ['--body', '{"item":5}'],
      {},
      ['/item', 'expected a string, got an integer', '/tags', 'expected an array'],
    ],
    ['a body that is not JSON', ['--body', '{'], {}, ['expected JSON (the first error is at character 1)']],
    [
      'a form',
      ['-H', 'Content-Type: application/x-www-form-urlencoded', '--body', 'count=x'],
      {},
      ['/item', '/count', 'expected an integer'],
    ],
    ['standard input', ['--body', '-'], { input: '{"item":"tea"}' }, ['/tags', 'expected an array, got nothing']],
  ])('the server reports what is wrong with %s', async (_what, own, around, parts) => {
    const { code, output, errors } = await call(['order', ...own], around)
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^400 Bad Request\n/)
    for (const part of parts) expect(errors).toContain(part)
  })
})

test('the handler gets the values of the flags', async () => {
  const some = fc.string({ unit: 'grapheme' })
  const whole = fc.maxSafeInteger()
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  const query = fc.record(
    {
      word: some,
      limit: whole,
      since: day.map((date) => date.toISOString().slice(0, 10)),
      sort: fc.constantFrom('age', 'name'),
      deep: fc.boolean(),
      loud: fc.boolean(),
      tag: fc.array(some, { maxLength: 3 }),
      size: fc.array(whole, { maxLength: 3 }),
    },
    { requiredKeys: ['word', 'loud', 'tag', 'size'] },
  )
  /** Each value behind its flag, joined to it or not. */
  const flags = (values: object, joined: boolean): readonly string[] =>
    Object.entries(values).flatMap(([name, value]): readonly string[] => {
      if (name === 'loud') return value ? ['--loud'] : []
      return [value].flat().flatMap((one) => (joined ? [`--${name}=${one}`] : [`--${name}`, String(one)]))
    })
  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async (values, joined) => {
      const { code, output, errors } = await call(['search', ...flags(values, joined)])
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      expect(JSON.parse(output)).toEqual(values)
    }),
    { numRuns: 20 },
  )
})

describe('wrong arguments are rejected before a request is sent', () => {
  const integer = 'expected an integer such as 42, within ±9007199254740991'
  const order = 'Write the module first, then the endpoint, then its flags: lapidary call ./src/api.ts users.list --sortby age.'
  const partSentence = 'POST /gallery takes a form with files: write each part as --form title=TEXT, or as --form photo=@FILE for a file.'
  const header = '-H: expected a name, a colon and a value, such as -H "X-Api-Key: 42".'

  test.each<[readonly string[], string]>([
    [['--x', '1', 'point'], order],
    [['pont'], 'The API has no endpoint "pont". The nearest: point, paint, part. The command "lapidary routes" lists all.'],
    [['raw.web'], 'The API has no endpoint "raw.web". The command "lapidary routes" lists all.'],
    [['GET', '/pints/1'], 'No endpoint of the API matches GET /pints/1. The command "lapidary routes" lists the endpoints.'],
    [['POST', '/people/1'], '/people/1 has no method POST. Its methods: GET, PUT, DELETE.'],
    [['GET', '/points/%zz/2'], 'No endpoint of the API matches GET /points/%zz/2. The command "lapidary routes" lists the endpoints.'],
    [
      ['GET', '/search?word=a&wrd=b'],
      'GET /search has no query parameter "wrd". Its query parameters: word, limit, since, sort, deep, loud, tag, size.',
    ],
    [['point', '--x', 'one', '--y', '2.5'], `--x: ${integer}\n--y: ${integer}`],
    [['point', '--x', '1'], '--y: expected a value, got nothing'],
    [['point', '--x', '1', '--x', '2', '--y', '3'], '--x: expected one value, got 2'],
    [['GET', '/points/1/two'], `path y: ${integer}`],
    [['GET', '/files/a%2Fb'], 'path path: expected segments without an encoded slash, none of them "." or ".."'],
    [['GET', '/points/1/2', '--x', '1'], "Unknown option '--x'."],
    [['GET', '/search?word&limit=x'], `query word: expected a value, got nothing\nquery limit: ${integer}`],
    [['colour', '--hex', 'red'], '--hex: expected a colour such as ff8800'],
    [['search', '--word', 'a', '--sort', 'size'], '--sort: expected one of age, name'],
    [['depth', '--x-depth', 'x'], `--x-depth: ${integer}`],
    [['depth', '--x-depth', '1', '--x-note', '€'], invalidRequestHeader('GET /depth', 'X-Note')],
    [['greeting', '--name', '..'], invalidCaptureValue('GET /greetings/:name', 'name')],
    [['search', '--wrd', 'a'], "Unknown option '--wrd'. (Did you mean --word?)"],
    [['newest', 'stray'], 'GET /colours/newest takes no "stray". It has no flags of its own.'],
    [['point', 'x=1', '--y', '2'], 'A value is written as a flag: --x 1.'],
    [['greeting', 'NAME=Ann Lee'], "A value is written as a flag: --name 'Ann Lee'."],
    [['point', '1', '2'], 'GET /points/:x/:y takes no "1". A value is written as a flag: --x, --y.'],
    [['point', 'z=1'], 'GET /points/:x/:y takes no "z=1". A value is written as a flag: --x, --y.'],
    [['newest', '--body', 'x'], 'GET /colours/newest takes no body: leave out --body.'],
    [['order'], 'POST /orders needs a body: --body TEXT, --body @FILE, or --body - for standard input.'],
    [['newest', '--form', 'a=b'], 'GET /colours/newest takes no body: leave out --form.'],
    [['order', '--body', 'x', '--form', 'a=b'], 'Use --body or --form, not both.'],
    [['echo.text', '--form', 'a=b'], 'POST /echo/text takes no form: write its body as --body TEXT, or --body @FILE.'],
    [['gallery', '--body', '@photo.png'], partSentence],
    [['gallery'], partSentence],
    [
      ['gallery', '--form', 'title'],
      '--form: expected a name and a value, such as --form title=Opal or --form photo=@photo.png, got "title".',
    ],
    [['gallery', '--form', 'tilte=Dawn'], 'POST /gallery has no part "tilte". Its parts: title, photo, notes.'],
    [['gallery', '--form', 'photo=photo.png'], 'The part "photo" is a file: --form photo=@photo.png.'],
    [['gallery', '--form', 'photo=@none.png'], 'none.png cannot be read: no such file or directory.'],
    [['order', '--body', '@nothing.json'], 'nothing.json cannot be read: no such file or directory.'],
    [['newest', '--base', 'localhost:8081'], '--base: expected the URL of a server, such as http://127.0.0.1:8081, got "localhost:8081".'],
    [['newest', '--base', 'http://127.0.0.1?a=b'], invalidClientBase()],
    [['newest', '-H', 'X-Api-Key'], header],
    [['newest', '-H', 'X Y: 1'], header],
    [['newest', '-H', 'X-Y: a\nb'], header],
    [['newest', '--export', 'nope'], 'everything.ts exports no API named "nope". Its APIs: api.'],
  ])('%j', async (own, sentences) => {
    // No server listens there: what is sent gets another error.
    const ended = await lapidary(words(own), { environment: { LAPIDARY_BASE: 'http://127.0.0.1:1' } })
    expect(ended).toEqual({ code: 2, output: '', errors: `${sentences}\n` })
  })

  test('LAPIDARY_BASE is checked, too', async () => {
    const { code, errors } = await lapidary(words(['newest']), { environment: { LAPIDARY_BASE: 'here' } })
    expect([code, errors]).toEqual([2, 'LAPIDARY_BASE: expected the URL of a server, such as http://127.0.0.1:8081, got "here".\n'])
  })
})
