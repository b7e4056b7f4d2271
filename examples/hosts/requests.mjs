/**
 * The requests that each host gets, one after the other, and what comes back from the API where no host stands in front of it. A result is one
 * line: the status, and what matters of the headers and the body.
 */
import { request as createRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** The longest time that a response may take, in milliseconds. */
const patience = 10_000

/**
 * Sends one request as it is written: `fetch` would change its path. The chunks of the body have the times at which they came.
 * @param {string} url
 * @param {string} target
 * @param {{ method?: string, headers?: Record<string, string>, body?: string | Buffer }} [init]
 */
export const send = (url, target, { method = 'GET', headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }
    const options = { hostname, port, path: target, method, headers: { ...length, ...headers }, agent: false, timeout: patience }
    const outgoing = createRequest(options, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push({ at: performance.now(), text: chunk.toString() }))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status, headers: fields } = response
        resolve({ status, headers: fields, chunks, text: chunks.map(({ text }) => text).join('') })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response to ${method} ${target.slice(0, 60)} within ${patience} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const json = (body, headers = {}) => ({ method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body })
const jasper = '{"name":"jasper","carat":7}'

/** Who answered: our problems have a media type that no host uses for its own. */
const getSource = ({ headers }) => (headers['content-type']?.startsWith('application/problem+json') ? 'ours' : 'of the host')
const line = (...parts) => parts.filter((part) => part !== undefined).join(' ')

const readSeen = async (url) => JSON.parse((await send(url, '/api/seen')).text)

/** Waits until the handlers have seen something, or for three seconds. */
async function waitFor(url, test) {
  for (let tries = 0; tries < 30; tries += 1) {
    if (test(await readSeen(url))) return true
    await delay(100)
  }
  return false
}

/** Sends a part of a request and leaves: the head and the beginning of the body, or a whole request without a body. */
async function leave(url, target, { method = 'GET', headers = {}, body } = {}) {
  const { hostname, port } = new URL(url)
  const outgoing = createRequest({ hostname, port, path: target, method, headers, agent: false })
  outgoing.on('error', () => {})
  if (body === undefined) outgoing.end()
  else outgoing.write(body)
  await delay(300)
  outgoing.destroy()
}

const boundary = 'between-two-parts'
const createForm = (photo) =>
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nOpal\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="opal.png"\r\nContent-Type: image/png\r\n\r\n` +
      `${photo}\r\n--${boundary}--\r\n`,
  )
const formType = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }

/** Whether three parts came one by one: the handler waits for 150 ms between them. */
const getPace = ({ chunks }) => ((chunks.at(-1)?.at ?? 0) - (chunks[0]?.at ?? 0) > 200 ? 'one by one' : 'at once')

/** By title: the result that is expected, and the function that sends the request. */
export const requests = [
  { title: 'GET', expected: '200 {"name":"opal","carat":2,"id":1}', run: async (url) => print(await send(url, '/api/stones/1')) },
  {
    title: 'POST of JSON, and the Location below the base path',
    expected: '201 /api/stones/4 {"name":"jasper","carat":7,"id":4}',
    run: async (url) => print(await send(url, '/api/stones', json(jasper)), 'location'),
  },
  { title: 'malformed JSON', expected: '400 ours', run: async (url) => refusal(await send(url, '/api/stones', json('{"name":'))) },
  {
    title: 'a body of another media type',
    expected: '415 ours',
    run: async (url) => refusal(await send(url, '/api/stones', json('<stone/>', { 'Content-Type': 'text/xml' }))),
  },
  {
    title: 'a media type that is not accepted',
    expected: '406 ours',
    run: async (url) => refusal(await send(url, '/api/stones/1', { headers: { Accept: 'text/csv' } })),
  },
  { title: 'an invalid query', expected: '400 ours', run: async (url) => refusal(await send(url, '/api/stones?above=many')) },
  { title: 'an invalid capture', expected: '400 ours', run: async (url) => refusal(await send(url, '/api/stones/one')) },
  {
    title: 'repeated query parameters',
    expected: '200 opal, onyx',
    run: async (url) => {
      const { status, text } = await send(url, '/api/stones?name=opal&name=onyx')
      return line(
        status,
        JSON.parse(text)
          .map(({ name }) => name)
          .join(', '),
      )
    },
  },
  {
    title: 'a percent-encoded path',
    expected: '200 {"text":"a b/ü?#%25","words":["x&y"]}',
    run: async (url) => print(await send(url, '/api/notes/a%20b%2F%C3%BC%3F%23%2525?word=x%26y')),
  },
  {
    title: 'a long URL',
    expected: '200 6000',
    run: async (url) => {
      const { status, text } = await send(url, `/api/notes/n?word=${'x'.repeat(6_000)}`)
      return line(status, status === 200 ? JSON.parse(text).words[0].length : undefined)
    },
  },
  {
    title: 'HEAD',
    expected: '200 32',
    run: async (url) => print(await send(url, '/api/stones/1', { method: 'HEAD' }), 'content-length'),
  },
  {
    title: 'OPTIONS',
    expected: '204 GET, HEAD, POST, OPTIONS',
    run: async (url) => print(await send(url, '/api/stones', { method: 'OPTIONS' }), 'allow'),
  },
  {
    title: 'a preflight of CORS',
    expected: '204 https://shop.example GET, HEAD, POST, OPTIONS',
    run: async (url) => {
      const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' }
      return print(
        await send(url, '/api/stones', { method: 'OPTIONS', headers }),
        'access-control-allow-origin',
        'access-control-allow-methods',
      )
    },
  },
  {
    title: 'a method that a path does not have',
    expected: '405 GET, HEAD, OPTIONS ours',
    run: async (url) => {
      const response = await send(url, '/api/latest', { method: 'DELETE' })
      return line(response.status, response.headers.allow, getSource(response))
    },
  },
  { title: 'a path of the host', expected: '200 The host.', run: async (url) => print(await send(url, '/about')) },
  { title: 'an unknown path', expected: '404 of the host', run: async (url) => refusal(await send(url, '/nothing')) },
  {
    title: 'an unknown path below the base path',
    expected: '404 of the host',
    run: async (url) => refusal(await send(url, '/api/nothing')),
  },
  {
    title: 'If-None-Match',
    expected: '304 nothing',
    run: async (url) => {
      const { headers } = await send(url, '/api/stones/2')
      const { status, text } = await send(url, '/api/stones/2', { headers: { 'If-None-Match': `${headers.etag}` } })
      return line(status, text || 'nothing')
    },
  },
  {
    title: 'If-Match, and a second time',
    expected: '204, 412 ours',
    run: async (url) => {
      const { headers } = await send(url, '/api/stones/2')
      const put = { ...json('{"name":"ruby","carat":1}', { 'If-Match': `${headers.etag}` }), method: 'PUT' }
      const first = await send(url, '/api/stones/2', put)
      return `${first.status}, ${refusal(await send(url, '/api/stones/2', put))}`
    },
  },
  {
    title: 'a range',
    expected: '206 bytes 3-6/22 opal',
    run: async (url) => print(await send(url, '/api/certificate', { headers: { Range: 'bytes=3-6' } }), 'content-range'),
  },
  { title: 'a redirect', expected: '303 /api/stones/3', run: async (url) => print(await send(url, '/api/latest'), 'location') },
  {
    title: 'two cookies out',
    expected: '204 session=s-1; Max-Age=3600; Path=/; Secure; HttpOnly; SameSite=Lax | theme=dark; Path=/; Secure; SameSite=Lax',
    run: async (url) => {
      const { status, headers } = await send(url, '/api/login', { method: 'POST' })
      return line(status, headers['set-cookie']?.join(' | '))
    },
  },
  {
    title: 'cookies in',
    expected: '200 {"session":"s 1","theme":"dark"}',
    run: async (url) => print(await send(url, '/api/me', { headers: { Cookie: 'session=s%201; theme=dark' } })),
  },
  {
    title: 'an upload',
    expected: '200 {"title":"Opal","name":"opal.png","size":300000}',
    run: async (url) => print(await send(url, '/api/photos', { method: 'POST', headers: formType, body: createForm('x'.repeat(300_000)) })),
  },
  {
    title: 'a body that is too large',
    expected: '413 ours',
    run: async (url) => refusal(await send(url, '/api/stones', json(`{"name":"${'x'.repeat(1_100_000)}","carat":1}`))),
  },
  {
    title: 'a declared error',
    expected: '409 The opal is sold.',
    run: async (url) => {
      const { status, text } = await send(url, '/api/stones/1/sale', { method: 'POST' })
      return line(status, JSON.parse(text).detail)
    },
  },
  {
    title: 'a thrown error: no word of it leaves, and it is reported',
    expected: '500 ours GET /api/break: the password is opal',
    run: async (url) => {
      const response = await send(url, '/api/break')
      const { reported } = await readSeen(url)
      return line(response.status, response.text.includes('opal') ? 'leaks' : getSource(response), reported.join())
    },
  },
  {
    title: 'an idempotency key, twice',
    expected: '201 {"number":1,"amount":5}, 201 {"number":1,"amount":5}',
    run: async (url) => {
      const payment = json('{"amount":5}', { 'Idempotency-Key': '"k-1"' })
      return `${print(await send(url, '/api/payments', payment))}, ${print(await send(url, '/api/payments', payment))}`
    },
  },
  {
    title: 'a stream of lines',
    expected: '200 one by one {"line":1} {"line":2} {"line":3}',
    run: async (url) => {
      const response = await send(url, '/api/lines')
      return line(response.status, getPace(response), response.text.trim().replaceAll('\n', ' '))
    },
  },
  {
    title: 'events',
    expected: '200 one by one 3',
    run: async (url) => {
      const response = await send(url, '/api/changes', { headers: { Accept: 'text/event-stream' } })
      return line(response.status, getPace(response), response.text.match(/^data: /gm)?.length)
    },
  },
  {
    title: 'events, of a client that accepts gzip',
    expected: '200 one by one',
    run: async (url) => {
      const response = await send(url, '/api/changes', { headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'gzip, br' } })
      return line(response.status, getPace(response))
    },
  },
  {
    title: 'a client that leaves',
    expected: 'the signal fires',
    run: async (url) => {
      await leave(url, '/api/wait')
      return (await waitFor(url, ({ aborted }) => aborted === 1)) ? 'the signal fires' : 'the signal does not fire'
    },
  },
  {
    title: 'a client that leaves in the middle of an upload',
    expected: 'no handler runs, and nothing is reported',
    run: async (url) => {
      const before = await readSeen(url)
      const form = createForm('x'.repeat(200_000))
      const headers = { ...formType, 'Content-Length': `${form.length}` }
      await leave(url, '/api/photos', { method: 'POST', headers, body: form.subarray(0, 100_000) })
      const { photos, reported } = await readSeen(url)
      const news = reported.slice(before.reported.length).join()
      return line(
        photos === before.photos ? 'no handler runs,' : 'a handler runs,',
        news === '' ? 'and nothing is reported' : `and ${news}`,
      )
    },
  },
  {
    title: 'fifty requests at once',
    expected: '50 of 50',
    run: async (url) => {
      const words = Array.from({ length: 50 }, (_, index) => `w${index}`)
      const responses = await Promise.all(words.map((word) => send(url, `/api/notes/n?word=${word}`)))
      return `${responses.filter(({ text }, index) => text === `{"text":"n","words":["${words[index]}"]}`).length} of 50`
    },
  },
]

/** These go to a server that has read the body before the API gets it. */
export const parsedRequests = [
  {
    title: 'JSON behind the parser of the host',
    expected: '201 {"name":"jasper","carat":7,"id":4}',
    run: async (url) => print(await send(url, '/api/stones', json(jasper))),
  },
  {
    title: 'an invalid body behind the parser',
    expected: '400 ours',
    run: async (url) => refusal(await send(url, '/api/stones', json('{"name":7}'))),
  },
  {
    title: 'malformed JSON at the parser',
    expected: '400 of the host',
    run: async (url) => refusal(await send(url, '/api/stones', json('{"name":'))),
  },
  {
    title: 'an upload behind the parser',
    expected: '200 {"title":"Opal","name":"opal.png","size":1000}',
    run: async (url) => print(await send(url, '/api/photos', { method: 'POST', headers: formType, body: createForm('x'.repeat(1_000)) })),
  },
]

/** The status, some headers, and the body. */
function print({ status, headers, text }, ...names) {
  return line(status, ...names.map((name) => headers[name] ?? `(no ${name})`), text || undefined)
}

const refusal = (response) => line(response.status, getSource(response))
