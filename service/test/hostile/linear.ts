/** Inputs that are parsed in linear time: twice the length may take little more than twice the time. */
import { get, post } from './row.ts'

const form = 'application/x-www-form-urlencoded'

/** A request with so many bytes of something, which is less than half of what is too much. */
export const scanned: Readonly<Record<string, (size: number) => string>> = {
  'Accept of commas': (size) => get('/persons', `Accept: ${','.repeat(size)}`),
  'Accept of parameters': (size) => get('/persons', `Accept: text/html${';a=b'.repeat(size / 4)}`),
  'Accept of quotes': (size) => get('/persons', `Accept: text/html;a="${'\\"'.repeat(size / 2)}`),
  'Accept of spaces': (size) => get('/persons', `Accept: text/html;${' '.repeat(size)}x`),
  'Content-Type of parameters': (size) => post('/echo/json', `application/json${';a=b'.repeat(size / 4)}`, '1'),
  'Content-Type of quotes': (size) => post('/echo/json', `application/json;a="${'\\"'.repeat(size / 2)}`, '1'),
  'If-None-Match of tags': (size) => get('/users/1', `If-None-Match: ${'W/"a",'.repeat(size / 6)}x`),
  'If-None-Match of quotes': (size) => get('/users/1', `If-None-Match: ${'"'.repeat(size)}`),
  'If-Match of spaces': (size) => get('/users/1', `If-Match: ${' '.repeat(size)}x`),
  'If-Match of a tag without an end': (size) => get('/users/1', `If-Match: "${'!'.repeat(size)}`),
  'Range of spaces': (size) => get('/colors', `Range: name${' '.repeat(size)};`),
  'Range of options': (size) => get('/colors', `Range: name${';a 1'.repeat(size / 4)}`),
  'Range of a file': (size) => get('/static/a.txt', `Range: bytes=${'0-,'.repeat(size / 3)}`),
  'Authorization of spaces': (size) => get('/secret', `Authorization: Bearer${' '.repeat(size)}x`),
  'Authorization of no base64': (size) => get('/users/list-all', `Authorization: Basic ${'='.repeat(size)}`),
  'Authorization of marks': (size) =>
    get('/users/list-all', `Authorization: Basic ${Buffer.from(`a:${'\u0315\u0316'.repeat(size / 8)}`).toString('base64')}`),
  'a path of segments': (size) => get('/a'.repeat(size / 2)),
  'a path of percent signs': (size) => get(`/${'%61'.repeat(size / 3)}`),
  'a query of parameters': (size) => get(`/echo/query?${'tag&'.repeat(size / 4)}`),
  'JSON of quotes': (size) => post('/echo/json', 'application/json', `[${'"",'.repeat(size * 4)}""]`),
  'JSON of backslashes': (size) => post('/echo/json', 'application/json', `"${'\\\\'.repeat(size * 8)}"`),
  'JSON of digits': (size) => post('/echo/json', 'application/json', '1'.repeat(size * 8)),
  'JSON that does not end': (size) => post('/echo/json', 'application/json', `${'["'.repeat(60)}${'a\\'.repeat(size * 4)}`),
  'a form of names': (size) => post('/echo/form', form, 'a&'.repeat(size * 8)),
  'JSON of exponents': (size) => post('/echo/json', 'application/json', `[${'1e5,'.repeat(size * 4)}1]`),
  'a form of pairs': (size) => post('/echo/form', form, 'a=b&'.repeat(size * 4)),
}
