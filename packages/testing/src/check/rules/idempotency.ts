/** The rule about endpoints with `idempotent`. */
import { idempotencyKeyHeader } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import { createIdempotencyKey, type WireRequest, type WireResponse, withHeaderLines } from '../exchange.ts'
import { canReachHandler, type Probe, type ProbeContext } from '../rule.ts'

/** Responses after which a server forgets the key. */
const isTemporary = ({ status }: WireResponse): boolean => status >= 500 || [408, 425, 429].includes(status)

/** Fetches what the path has, to see an effect; undefined where it has no GET. */
async function fetchState({ siblings, sampleCalls, buildRequest, send }: ProbeContext, { captures }: Call): Promise<string | undefined> {
  const get = siblings.get('GET')
  const [call] = get === undefined ? [] : sampleCalls(1, get)
  if (get === undefined || call === undefined) return undefined
  const request = await buildRequest({ ...call, captures: { ...call.captures, ...captures } }, get)
  return Buffer.from((await send(request, 'other', get)).body).toString('latin1')
}

/** Finds another body for the request. */
export async function findOtherBody({ sampleCalls, buildRequest }: ProbeContext, { body }: WireRequest): Promise<WireRequest['body']> {
  for (const call of sampleCalls(20)) {
    const other = await buildRequest(call)
    if (body !== undefined && other.body !== undefined && Buffer.compare(body, other.body) !== 0) return other.body
  }
  return undefined
}

export const idempotentRule: Probe = {
  name: 'idempotent',
  description:
    'The same request with the same Idempotency-Key gets the same response, without a second effect; another body gets 422. A required key that is missing gets 400.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.idempotent !== undefined,
  probe: async (context) => {
    const { subject, sampleCalls, buildRequest, send, fail } = context
    const { idempotent, responses } = subject.endpoint
    const names = ['Content-Type', ...responses.flatMap(({ headers }) => Object.keys(headers))]
    const [call] = sampleCalls(1)
    if (call === undefined) return
    const plain = withHeaderLines(await buildRequest(call), idempotencyKeyHeader)
    if (idempotent === 'required') {
      const { status } = await send(plain, 'invalid', undefined, undefined, call)
      if (status !== 400) fail(`there is no ${idempotencyKeyHeader}: expected 400, got ${status}`)
    }
    const request = withHeaderLines(plain, idempotencyKeyHeader, createIdempotencyKey())
    const first = await send(request, 'valid')
    if (isTemporary(first)) return
    const before = await fetchState(context, call)
    const second = await send(request, 'valid')
    if (second.status !== first.status)
      fail(`the first response has the status ${first.status}, the same request again gets ${second.status}`)
    if (Buffer.compare(first.body, second.body) !== 0) fail('the same request again gets another body')
    for (const name of names)
      if (first.header(name.toLowerCase()) !== second.header(name.toLowerCase())) fail(`the same request again gets another ${name}`)
    if ((await fetchState(context, call)) !== before) fail('the same request again has a second effect')
    const body = await findOtherBody(context, request)
    if (body === undefined) return
    const { status } = await send({ ...request, body }, 'other')
    if (status !== 422) fail(`the same key with another body: expected 422, got ${status}`)
  },
}
