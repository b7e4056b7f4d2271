/** Failures while a response is made: handlers, writers, templates, streams, `mapError`, `onError` and `format`. */
import { endpoint, HttpError, html, list, mediaType, ndjson, noContent, ok, reply, text, withHeaders } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { type Fail, failingCodec, type Place, wrongly } from './place.ts'

const failingWriter = (fail: Fail) => mediaType<unknown>({ types: ['text/x-failing'], writer: () => fail })

/** The calls that fail, by their names. */
export const responsePlaces: Readonly<Record<string, Place>> = {
  'a handler': {
    handler: (fail, report) => serve({ one: endpoint('GET /', { response: ok(text) }) }, { one: fail }, { onError: report }),
  },
  'a handler, by a promise of another kind': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(text) }) },
        { one: () => wrongly(Object.defineProperty({}, 'then', { value: fail })) },
        { onError: report },
      ),
  },
  'a member of what a handler returns': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(z.object({ a: z.string() })) }) },
        {
          one: () => ({
            get a() {
              return fail()
            },
          }),
        },
        { onError: report },
      ),
  },
  'the codec of a response header': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(text, { headers: { 'X-A': failingCodec({ print: fail }) } }) }) },
        { one: () => withHeaders('a', { 'X-A': 'a' }) },
        { onError: report },
      ),
  },
  'the writer of a medium': {
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(failingWriter(fail)) }) }, { one: () => ({}) }, { onError: report }),
  },
  'the writer of a medium, for a tag': {
    handler: (fail, report) => {
      const both = mediaType<unknown>({ types: ['text/x-failing'], reader: () => String, writer: () => fail })
      return serve({ one: endpoint('GET /', { response: ok(both), etag: true }) }, { one: () => ({}) }, { onError: report })
    },
  },
  'the template of a page': {
    handler: (fail, report) => serve({ one: endpoint('GET /', { response: ok(html(fail)) }) }, { one: () => ({}) }, { onError: report }),
  },
  'the template of a page, of a list that is walked': {
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(html(fail)) }) }, { one: () => new Set([1]) }, { onError: report }),
  },
  'what a list is walked by': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve({ one: endpoint('GET /', { response: ok(list(z.int())) }) }, { one: () => ({ [Symbol.iterator]: fail }) }, { onError: report }),
  },
  'a producer, at its first item': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield await fail()
          },
        },
        { onError: report },
      ),
  },
  'a producer, at its second item': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield 1
            // The first is on its way.
            await new Promise((resolve) => setTimeout(resolve, 5))
            yield await fail()
          },
        },
        { onError: report },
      ),
    gets: 'cut',
  },
  'the writer of a declared error': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent, errors: [reply(409, failingWriter(fail))] }) },
        {
          one: () => {
            throw new HttpError(409, { body: {} })
          },
        },
        { onError: report },
      ),
  },
  'a member of a raised error': {
    isSynchronous: true,
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw Object.defineProperty(new HttpError(409), 'headers', { get: fail })
          },
        },
        { onError: report },
      ),
  },
  translate: {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: report, mapError: fail },
      ),
  },
  report: {
    handler: (fail) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: fail },
      ),
    onConsole: true,
  },
  'report, of a stream': {
    handler: (fail) =>
      serve(
        { one: endpoint('GET /', { response: ok(ndjson(z.int())) }) },
        {
          one: async function* () {
            yield 1
            await new Promise((resolve) => setTimeout(resolve, 5))
            throw new Error('a producer')
          },
        },
        { onError: fail },
      ),
    gets: 'cut',
    onConsole: true,
  },
  'the format of problems, for a path that is not there': {
    handler: (fail, report) => serve({}, {}, { onError: report, format: fail }),
  },
  'the format of problems, for an error': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { response: noContent }) },
        {
          one: () => {
            throw new Error('a handler')
          },
        },
        { onError: report, format: fail },
      ),
  },
}
