/** A call that chooses the media type of its response, and gets the text of it. */
import {
  bytes,
  content,
  created,
  endpoint,
  errors,
  form,
  html,
  htmlTemplate,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  reply,
  respond,
  text,
  withHeaders,
} from 'lapidary'
import { UnexpectedResponseError } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'

describe.each(clients)('$kind', ({ createClient: client, isDeclared: isDeclaredError, isLight }) => {
  const Stone = z.object({ name: z.string() })
  const page = html<readonly { readonly name: string }[]>(
    (stones) => htmlTemplate`<ul>${stones.map(({ name }) => htmlTemplate`<li>${name}</li>`)}</ul>`,
  )
  const csv = mediaType<readonly { readonly name: string }[]>({
    types: ['text/csv'],
    writer: () => (all) => all.map(({ name }) => name).join('\n'),
  })
  const stones = content(list(Stone), json, page, csv)
  const api = {
    plain: endpoint('GET /plain', { response: ok(stones) }),
    counted: endpoint('GET /counted', { response: ok(stones, { headers: { 'Stone-Count': text } }) }),
    page: endpoint('GET /page', { response: ok(html<string>((word) => htmlTemplate`<p>${word}</p>`)) }),
    several: endpoint('POST /several', { body: text, response: [created(stones), reply(202, text), noContent] }),
    lines: endpoint('GET /lines', { response: ok(ndjson(Stone)) }),
    image: endpoint('GET /image', { response: ok(bytes) }),
    nothing: endpoint('DELETE /nothing', { response: noContent }),
    form: endpoint('GET /form', { response: ok(isLight ? content(Stone, json) : content(Stone, json, form)) }),
  }
  const all = [{ name: 'opal & jade' }, { name: 'ruby' }]
  const server = serve(api, {
    plain: () => all,
    counted: () => withHeaders(all, { 'Stone-Count': '2' }),
    page: () => 'a & b',
    several: ({ body }) =>
      body === 'later' ? respond(202, 'queued') : body === 'never' ? respond(204) : withHeaders(all, { Location: '/several/1' }),
    lines: () => all,
    image: () => Uint8Array.of(255, 216),
    nothing: () => {},
    form: () => ({ name: 'opal & jade' }),
  })
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  const markup = '<ul><li>opal &amp; jade</li><li>ruby</li></ul>'

  test('the body is the text of the representation', async () => {
    expect(await call.plain({}, { accept: 'text/html' })).toBe(markup)
    expect(await call.plain(undefined, { accept: 'text/csv' })).toBe('opal & jade\nruby')
    expect(await call.plain({}, { accept: 'application/json' })).toBe(JSON.stringify(all))
    if (!isLight) expect(await call.form({}, { accept: 'application/x-www-form-urlencoded' })).toBe('name=opal+%26+jade')
    expect(await call.page({}, { accept: 'text/html;charset=utf-8' })).toBe('<p>a &amp; b</p>')
  })

  test('without the option, the body is its value', async () => {
    expect(await call.plain()).toEqual(all)
    await expect(call.page()).rejects.toThrow(isLight ? UnexpectedResponseError : 'call it with the option "accept"')
  })

  test('a stream is its whole text, within the limit of the call', async () => {
    expect(await call.lines({}, { accept: 'application/x-ndjson' })).toBe('{"name":"opal & jade"}\n{"name":"ruby"}\n')
    await expect(call.lines({}, { accept: 'application/x-ndjson', maxResponseSize: 9 })).rejects.toThrow('more than 9 bytes')
  })

  test('headers and statuses stay', async () => {
    expect(await call.counted({}, { accept: 'text/csv' })).toEqual({ body: 'opal & jade\nruby', headers: { 'Stone-Count': '2' } })
    const accept = 'text/html'
    expect(await call.several({ body: 'now' }, { accept })).toEqual({ status: 201, body: markup, headers: { Location: '/several/1' } })
    expect(await call.several({ body: 'later' }, { accept })).toEqual({ status: 202, body: 'queued' })
    expect(await call.several({ body: 'never' }, { accept })).toEqual({ status: 204, body: undefined })
  })

  describe('a call is rejected', () => {
    test.skipIf(isLight).each<[string, () => Promise<unknown>, string]>([
      [
        'for a media type that no response has',
        () => call.plain({}, { accept: 'text/plain' }),
        'GET /plain does not respond with text/plain. Use one of application/json, text/html, text/csv.',
      ],
      ['for several media types', () => call.plain({}, { accept: 'text/html, text/csv' }), 'does not respond with text/html, text/csv'],
      ['for an empty text', () => call.plain({}, { accept: '' }), 'does not respond with . Use one of'],
      ['for 10 kB', () => call.plain({}, { accept: 'x'.repeat(10_000) }), 'does not respond with'],
      ['for __proto__', () => call.plain({}, { accept: '__proto__' }), 'does not respond with __proto__'],
    ])('%s', async (_what, send, message) => {
      await expect(send()).rejects.toThrow(TypeError)
      await expect(send()).rejects.toThrow(message)
    })

    test.skipIf(isLight).each([
      [
        'another media type',
        new Response('[]', { headers: { 'Content-Type': 'application/json' } }),
        'expected the Content-Type text/html, got application/json',
      ],
      ['no media type', new Response(new Uint8Array()), 'expected the Content-Type text/html, got none'],
      [
        'another charset',
        new Response('x', { headers: { 'Content-Type': 'text/html;charset=latin1' } }),
        'expected the Content-Type text/html',
      ],
      [
        'bytes that are no text',
        new Response(Uint8Array.of(255), { headers: { 'Content-Type': 'text/html' } }),
        'its body is not UTF-8 text',
      ],
    ])('by a response of %s', async (_what, response, message) => {
      const wrong = client(api, 'http://test.invalid', { fetch: async () => response.clone() })
      await expect(wrong.plain({}, { accept: 'text/html' })).rejects.toThrow(UnexpectedResponseError)
      await expect(wrong.plain({}, { accept: 'text/html' })).rejects.toThrow(message)
    })

    test.skipIf(isLight)('by bytes', async () => {
      await expect(call.image({}, { accept: 'application/octet-stream' })).rejects.toThrow('its body is not UTF-8 text')
    })
  })

  test('a declared error is its value, whichever media type is accepted', async () => {
    const failing = { one: endpoint('GET /one', { response: ok(stones), errors: [reply(409, Stone)] }) }
    const { fetch } = serve(failing, { one: () => errors.conflict({ body: { name: 'opal' } }) })
    const { one } = client(failing, 'http://test.invalid', { fetch })
    const error: unknown = await one({}, { accept: 'text/html' }).catch((caught) => caught)
    expect(isDeclaredError(failing.one, error) && error.body).toEqual({ name: 'opal' })
  })

  test('a media type that can only be written may stand in front of one that is read', async () => {
    const written = html<string>((word) => htmlTemplate`<p>${word}</p>`)
    const api = { word: endpoint('GET /word', { response: ok(content(z.string(), written, json)) }) }
    const call = client(api, 'http://test.invalid', { fetch: serve(api, { word: () => 'opal' }).fetch })
    expect(await call.word()).toBe('opal')
  })
})
