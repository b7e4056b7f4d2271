/** One row of the matrix: a sentence, a request, and the answer that it must get on every adapter. */
import { expect } from 'vitest'
import type { Running } from './adapters.ts'

/** A request, as `fetch` takes it. */
export interface Ask {
  readonly target: string
  readonly init: RequestInit
}

/** What the answer must be, as far as it is said. */
export interface Answer {
  readonly status: number
  /** The reason phrase, where it is not the standard one. */
  readonly reason?: string
  /** A null: the header must be absent. Or what Vitest takes in place of a text. */
  readonly headers?: Readonly<Record<string, unknown>>
  readonly json?: unknown
  readonly text?: string
}

export type Row = readonly [sentence: string, ask: Ask, answer: Answer]

type Headers = Readonly<Record<string, string>>

export const ask = (method: string, target: string, headers: Headers = {}, body?: string | Uint8Array): Ask => {
  // Bytes, since fetch would add a Content-Type of its own to text.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { target, init: { method, headers, ...(bytes === undefined ? {} : { body: bytes as Uint8Array<ArrayBuffer> }) } }
}

export const get = (target: string, headers: Headers = {}): Ask => ask('GET', target, headers)
export const post = (target: string, type: string, body: string | Uint8Array, headers: Headers = {}): Ask =>
  ask('POST', target, { 'Content-Type': type, ...headers }, body)
export const postJson = (target: string, body: string | Uint8Array, headers: Headers = {}): Ask =>
  post(target, 'application/json', body, headers)

export const answers = (status: number, more: Omit<Answer, 'status'> = {}): Answer => ({ status, ...more })
export const json = (value: unknown, headers: Readonly<Record<string, string | null>> = {}): Answer =>
  answers(200, { json: value, headers })

/** Problem details with these entries in `errors`. */
export const refuses = (status: number, ...errors: readonly object[]): Answer => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  json: expect.objectContaining({ status, ...(errors.length === 0 ? {} : { errors }) }),
})

/** Sends the request and compares all that is said of the answer. */
export async function holds({ fetch }: Running, { target, init }: Ask, expected: Answer): Promise<void> {
  const response = await fetch(target, init)
  const body = await response.text()
  expect({ status: response.status, body }).toEqual({ status: expected.status, body: expect.anything() })
  if (expected.reason !== undefined) expect(response.statusText).toBe(expected.reason)
  for (const [name, value] of Object.entries(expected.headers ?? {})) expect([name, response.headers.get(name)]).toEqual([name, value])
  if (expected.json !== undefined) expect(JSON.parse(body)).toEqual(expected.json)
  if (expected.text !== undefined) expect(body).toBe(expected.text)
}
