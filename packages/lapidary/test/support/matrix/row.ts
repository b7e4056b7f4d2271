/** One row of the matrix: a sentence, a request, and the response that it must get on every adapter. */
import { expect } from 'vitest'
import type { Running } from './adapters.ts'

/** A request, as `fetch` takes it. */
export interface MatrixRequest {
  readonly target: string
  readonly init: RequestInit
}

/** The parts of the response that a row compares. */
export interface ExpectedResponse {
  readonly status: number
  /** The reason phrase, where it is not the standard one. */
  readonly reason?: string
  /** A null: the header must be absent. Or what Vitest takes in place of a text. */
  readonly headers?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  readonly text?: string
}

export type Row = readonly [sentence: string, request: MatrixRequest, expected: ExpectedResponse]

type Headers = Readonly<Record<string, string>>

export const buildRequest = (method: string, target: string, headers: Headers = {}, body?: string | Uint8Array): MatrixRequest => {
  // Bytes, since fetch would add a Content-Type of its own to text.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { target, init: { method, headers, ...(bytes === undefined ? {} : { body: bytes as Uint8Array<ArrayBuffer> }) } }
}

export const get = (target: string, headers: Headers = {}): MatrixRequest => buildRequest('GET', target, headers)
export const post = (target: string, type: string, body: string | Uint8Array, headers: Headers = {}): MatrixRequest =>
  buildRequest('POST', target, { 'Content-Type': type, ...headers }, body)
export const postJson = (target: string, body: string | Uint8Array, headers: Headers = {}): MatrixRequest =>
  post(target, 'application/json', body, headers)

export const respondsWith = (status: number, more: Omit<ExpectedResponse, 'status'> = {}): ExpectedResponse => ({ status, ...more })
export const json = (value: unknown, headers: Readonly<Record<string, string | null>> = {}): ExpectedResponse =>
  respondsWith(200, { json: value, headers })

/** Problem details with these entries in `errors`. */
export const refuses = (status: number, ...errors: readonly object[]): ExpectedResponse => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  json: expect.objectContaining({ status, ...(errors.length === 0 ? {} : { errors }) }),
})

/** Sends the request and compares each expected part of the response. */
export async function expectResponse(
  { fetch, hasReasonPhrases }: Running,
  { target, init }: MatrixRequest,
  expected: ExpectedResponse,
): Promise<void> {
  const response = await fetch(target, init)
  const body = await response.text()
  expect({ status: response.status, body }).toEqual({ status: expected.status, body: expect.anything() })
  if (expected.reason !== undefined) expect(response.statusText).toBe(hasReasonPhrases ? expected.reason : '')
  for (const [name, value] of Object.entries(expected.headers ?? {})) expect([name, response.headers.get(name)]).toEqual([name, value])
  if (expected.json !== undefined) expect(JSON.parse(body)).toEqual(expected.json)
  if (expected.text !== undefined) expect(body).toBe(expected.text)
}
