/** JSON that a handler returns as it came from a client is JSON for all names of its members. */
import { download, endpoint, events, html, htmlTemplate, json, ok, reply, respond, seeOther, text } from 'lapidary'
import { type Next, provide, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'
import { expectResponse, get, postJson, refuses, respondsWith } from '../support/matrix/row.ts'

const api = {
  echo: endpoint('POST /echo', { body: json, response: [ok(json), seeOther, reply(202, json)], errors: [reply(409, json)] }),
  conflict: endpoint('POST /conflict', { body: json, response: ok(json), errors: [reply(409, json)] }),
  accepted: endpoint('POST /accepted', { body: json, response: [ok(json), reply(202, json)] }),
  provided: { echo: endpoint('POST /provided', { body: json, response: [ok(json), seeOther] }) },
  page: endpoint('POST /page', { body: json, response: ok(html((name: unknown) => htmlTemplate`<p>${name as string}</p>`)) }),
  pages: endpoint('POST /pages', { body: json, response: ok(html((name: unknown) => name as string)) }),
  file: endpoint('GET /file/:kind', { response: ok(download()) }),
  events: endpoint('POST /events', { body: json, response: ok(events(z.unknown())) }),
}

const reports: unknown[] = []
const server = serve(
  api,
  {
    echo: ({ body }) => body,
    conflict: ({ body, fail }) => fail(409, { body }),
    accepted: ({ body }) => respond(202, body),
    provided: provide(api.provided, async (_input: unknown, next: Next) => next(), { echo: ({ body }) => body }),
    page: ({ body }) => body,
    pages: ({ body }) => body,
    file: ({ params: { kind } }) => ({ '~kind': kind }) as never,
    events: async function* ({ body }) {
      yield { data: body }
    },
  },
  { onError: (error) => void reports.push(error) },
)

/** Each looks like something of the toolkit, of JavaScript or of a platform. */
const bodies: readonly string[] = [
  '{"~status":303,"value":{"headers":{"Location":"https://evil.example/"}}}',
  '{"~status":202,"value":1}',
  '{"status":404,"reason":"x","headers":{"X-A":"b"},"body":"gone"}',
  '{"body":1,"headers":{"Location":"/"}}',
  '{"~kind":"file","type":"text/html","name":"a"}',
  '{"~kind":"endpoint"}',
  '{"~standard":{"version":1},"media":[]}',
  '{"html":"<script>alert(1)</script>"}',
  '{"issues":[{"pointer":"","detail":"x"}]}',
  '{"then":1,"catch":2,"finally":3}',
  '{"then":{"then":null}}',
  '{"toJSON":"a","valueOf":1,"toString":2}',
  '{"__proto__":{"then":1},"constructor":{"prototype":1}}',
  '{"next":1,"return":2,"getReader":3,"length":4}',
  '{"message":"x","name":"HttpError","lapidary.HttpError":true,"Symbol(lapidary.status)":202}',
  '{"event":"x","data":1,"id":"a","retry":1}',
]

describeEachAdapter(server, (running) => {
  test.each(bodies)('%s', async (body) => {
    const value: unknown = JSON.parse(body)
    await expectResponse(running, postJson('/echo', body), respondsWith(200, { text: body }))
    await expectResponse(running, postJson('/provided', body), respondsWith(200, { text: body }))
    await expectResponse(running, postJson('/accepted', body), respondsWith(202, { text: body }))
    await expectResponse(running, postJson('/conflict', body), respondsWith(409, { json: value }))
    await expectResponse(running, postJson('/events', body), respondsWith(200, { text: `data: ${body}\n\n` }))
  })

  test('a page shows a text, and no markup of a client', async () => {
    await expectResponse(running, postJson('/page', '"<b>"'), respondsWith(200, { text: '<p>&lt;b&gt;</p>' }))
    for (const body of ['{"html":"<b>"}', '[{"html":"<b>"}]', '["<b>"]', '1', 'null']) {
      await expectResponse(running, postJson('/page', body), refuses(500))
      expect(reports.pop()).toMatchObject({ message: expect.stringMatching(/htmlTemplate.+expected a text/) })
    }
    await expectResponse(running, postJson('/pages', '{"html":"<b>"}'), refuses(500))
    expect(reports.pop()).toMatchObject({ message: expect.stringMatching(/html\(\).+expected a text/) })
  })

  test('what only looks like a file is none', async () => {
    await expectResponse(running, get('/file/file'), refuses(500))
    expect(reports.pop()).toMatchObject({ message: expect.stringContaining('A download is an object, expected a file.') })
  })
})

describe('another copy of the package', () => {
  test('makes responses and markup that this one knows', async () => {
    // The symbols of the global registry are those of every copy.
    const [status, markup] = [Symbol.for('lapidary.StatusValue'), Symbol.for('lapidary.Html')]
    const copied = { [status]: 202, value: 'later' } as unknown as ReturnType<typeof respond<202, string>>
    const one = endpoint('GET /one', { response: [ok(text), reply(202, text)] })
    const response = await serve({ one }, { one: () => copied }).fetch(new Request('http://test.invalid/one'))
    expect([response.status, await response.text()]).toEqual([202, 'later'])
    const piece = { [markup]: true, html: '<b>a</b>' } as unknown as ReturnType<typeof htmlTemplate>
    expect(htmlTemplate`<p>${piece}${[piece]}</p>`.html).toBe('<p><b>a</b><b>a</b></p>')
  })
})

test('a text in a template is a text, whatever it contains, and pieces are joined by nothing', () => {
  const word = `<a href="b" title='c'>&amp;</a>`
  const escaped = '&lt;a href=&quot;b&quot; title=&#39;c&#39;&gt;&amp;amp;&lt;/a&gt;'
  expect(htmlTemplate`<p title="${word}">${word}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`)
  const items = ['a', '<b>'].map((one) => htmlTemplate`<li>${one}`)
  expect(htmlTemplate`<ul>${items}${[]}</ul>`.html).toBe('<ul><li>a<li>&lt;b&gt;</ul>')
})

test('markup is what htmlTemplate returns, and no object of the same form', async () => {
  const piece = { html: '<b>' } as never
  expect(() => htmlTemplate`<p>${piece}`).toThrow(TypeError)
  expect(() => htmlTemplate`<p>${[piece]}`).toThrow(TypeError)
  const one = endpoint('GET /', { response: ok(html(() => piece)) })
  const response = await serve({ one }, { one: () => 'a' }, { onError: () => {} }).fetch(new Request('http://test.invalid/'))
  expect(response.status).toBe(500)
})
