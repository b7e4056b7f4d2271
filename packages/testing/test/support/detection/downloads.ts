/** Faults of files: their validators, their ranges and their conditions. */
import { mock, rules } from '@lapidary/testing'
import { download, endpoint, ok } from 'lapidary'
import { type HttpHandler, type HttpResponse, serve } from 'lapidary/server'
import { type Planted, replacing, withLine, without } from './planted.ts'

const files = { report: endpoint('GET /report', { response: ok(download('text/plain')) }) }
const serving = (next: () => Blob): HttpHandler => serve(files, { report: next })
const server = serving(() => new Blob(['An agate, and two rubies.'], { type: 'text/plain' }))
const getHeaderOf = ({ headers }: HttpResponse, name: string): string => headers[headers.indexOf(name) + 1] ?? ''

/** The same server, which looks at no header of these names. */
const ignoring =
  (...names: readonly string[]): HttpHandler =>
  (request) =>
    server({ ...request, signal: request.signal, header: (name) => (names.includes(name) ? undefined : request.header(name)) })

/** The same response with this body. */
const withBody = (body: string, response: HttpResponse): HttpResponse => withLine('Content-Length', `${body.length}`, { ...response, body })

let count = 0
const next = (): string => {
  count += 1
  return `${count % 10}`
}

const anyImage = { report: endpoint('GET /report', { response: ok(download('image/*')) }) }
const image = serve(anyImage, { report: () => new Blob(['An agate, and two rubies.'], { type: 'image/gif' }) })

export const downloads: readonly Planted[] = [
  {
    words: ['download'],
    api: anyImage,
    at: 'report',
    right: [image, mock(anyImage)],
    faults: [
      ['a type outside of the range', server, 'body', 'expected Content-Type to be image/*, got text/plain'],
      [
        'the range in place of a type',
        replacing(image, 200, (one) => withLine('Content-Type', 'image', one)),
        'body',
        'expected Content-Type to be image/*, got image',
      ],
      [
        'no type at all',
        replacing(image, 200, (one) => without('content-type', one)),
        'body',
        'expected Content-Type to be image/*, got none',
      ],
    ],
  },
  {
    words: ['download'],
    api: files,
    at: 'report',
    right: [server, mock(files), serving(() => new Blob([])), serving(() => new Blob(['a']))],
    faults: [
      [
        'a wrong Content-Range',
        replacing(server, 206, (one) => withLine('Content-Range', getHeaderOf(one, 'Content-Range').replace('/25', '/24'), one)),
        'download',
        'Range is bytes=0-0: expected Content-Range to be bytes 0-0/25, got bytes 0-0/24',
      ],
      [
        'another part than the one that was asked for',
        replacing(server, 206, (one) => withBody('x', one)),
        'download',
        'Range is bytes=0-0: the body is not that part of the file',
      ],
      ['ranges that are ignored', ignoring('range'), 'download', 'Range is bytes=25-: expected 416, got 200'],
      [
        'a range behind the end that is ignored',
        (request) => server(request.header('range') === 'bytes=25-' ? { ...request, header: () => undefined } : request),
        'download',
        'Range is bytes=25-: expected 416, got 200',
      ],
      [
        'a 416 without the size',
        replacing(server, 416, (one) => withLine('Content-Range', 'bytes */26', one)),
        'download',
        'Range is bytes=25-: expected Content-Range to be bytes */25, got bytes */26',
      ],
      [
        'an ETag that changes between equal requests',
        replacing(server, 200, (one) => withLine('ETag', `"${next()}"`, one)),
        'download',
        'the same file again has the ETag',
      ],
      ['a weak ETag', replacing(server, 200, (one) => withLine('ETag', 'W/"1"', one)), 'download', 'expected a strong ETag, got W/"1"'],
      [
        'another file with the same ETag',
        replacing(server, 200, (one) => withBody(next(), one)),
        'download',
        'another file has the same ETag',
      ],
      ['If-None-Match that is ignored', ignoring('if-none-match'), 'download', 'expected 304, got 200'],
      ['If-Match that is ignored', ignoring('if-match'), 'download', 'expected 412, got 200'],
      ['If-Range that is ignored', ignoring('if-range'), 'download', 'If-Range is "no-such-tag": expected 200, got 206'],
    ],
  },
  {
    words: ['download'],
    api: files,
    at: 'report',
    right: [serving(() => new Blob([next()], { type: 'text/plain' }))],
    // HEAD would need the next file's length.
    options: { rules: rules.filter(({ name }) => name !== 'head') },
    faults: [],
  },
]
