/** Requests that the description does not allow, each for one reason. */
import { encodeUtf8, getEssences, getJsonSchema, requestSteps } from 'lapidary/internal'
import { acceptsValue } from '../../generate/calls.js'
import { listInvalidValues } from '../../generate/invalidValues.js'
import { listInvalidTexts } from '../../generate/parameterTexts.js'
import { withHeaderLines } from '../exchange.js'
import { listAuthHeaderNames } from '../secrets.js'
import { canReachHandler, isSafeEndpoint } from './status.js'

/** Asks for what has to be refused, with one of these statuses. `what` is wrong with it. */
async function expectRejection({ send: ask, fail: complain }, asked, statuses, what) {
  const { status } = await ask(asked, 'refused')
  if (!statuses.includes(status)) complain(`${what}: expected ${statuses.join(' or ')}, got ${status}`)
}
const quoteTexts = (texts) => (texts.length === 0 ? 'left out' : texts.map((text) => JSON.stringify(text)).join(', '))
export const capturesRule = {
  name: 'captures',
  description: 'A capture that its codec does not read is refused: 400, or 404.',
  // Where there is a fallback, it is what answers there.
  appliesTo: (probing) => canReachHandler(probing) && !probing.fallback && Object.keys(probing.subject.endpoint.params).length > 0,
  probe: async (probing) => {
    const [call] = probing.sampleCalls(1)
    if (call === undefined) return
    for (const [name, codec] of Object.entries(probing.subject.endpoint.params)) {
      for (const [text = ''] of listInvalidTexts(codec, 'capture')) {
        const asked = await probing.buildRequest({ ...call, captures: { ...call.captures, [name]: text } })
        await expectRejection(probing, asked, [400, 404], `:${name} is ${JSON.stringify(text)}`)
      }
    }
  },
}
/** The same for query parameters and headers, one after the other. */
const createParameterRule = (place, part, noun) => ({
  name: part === 'query' ? 'query' : 'request-headers',
  description: `A ${noun} that its codec does not read is refused: 400.`,
  appliesTo: (probing) => canReachHandler(probing) && Object.keys(probing.subject.endpoint[part]).length > 0,
  probe: async (probing) => {
    const [call] = probing.sampleCalls(1)
    if (call === undefined) return
    for (const [name, parameter] of Object.entries(probing.subject.endpoint[part])) {
      for (const texts of listInvalidTexts(parameter, place)) {
        const changed = { ...call, [part]: { ...call[part], [name]: texts } }
        await expectRejection(probing, await probing.buildRequest(changed), [400], `${name} is ${quoteTexts(texts)}`)
      }
    }
  },
})
export const queryRule = createParameterRule('query', 'query', 'query parameter')
export const requestHeadersRule = createParameterRule('header', 'headers', 'header')
export const encodingRule = {
  name: 'encoding',
  description: 'A path or a query that is not percent-encoded UTF-8 is refused: 400.',
  appliesTo: canReachHandler,
  probe: async (probing) => {
    const [call] = probing.sampleCalls(1)
    if (call === undefined) return
    const asked = await probing.buildRequest(call)
    for (const wrong of ['%', '%zz', '%ff']) {
      const target = `${asked.target}${asked.target.includes('?') ? '&' : '?'}${wrong}=1`
      await expectRejection(probing, { ...asked, target }, [400], `the query holds ${wrong}`)
    }
  },
}
const isJsonBody = ({ type }) => /^application\/(?:[\w.+-]+\+)?json/.test(type)
export const bodiesRule = {
  name: 'bodies',
  description: 'A body that its schema does not take is refused: 400.',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.body !== undefined,
  probe: async (probing) => {
    const schema = probing.subject.endpoint.body?.schema
    const call = probing.sampleCalls(20).find(({ body }) => body !== undefined && isJsonBody(body))
    if (call?.body === undefined) return
    const asked = await probing.buildRequest(call)
    const sent = (text) => ({ ...asked, body: typeof text === 'string' ? encodeUtf8(text) : text })
    await expectRejection(probing, sent('{'), [400], 'the body is no JSON')
    await expectRejection(probing, sent(Uint8Array.of(0x22, 0xff, 0x22)), [400], 'the body is no UTF-8')
    await expectRejection(probing, sent(''), [400], 'the body is empty')
    if (schema === undefined) return
    for (const { pointer, fault, value } of listInvalidValues(getJsonSchema(schema), call.body.value)) {
      // Beyond its JSON Schema a schema may take more than that says: a number as a text.
      if (acceptsValue(schema, value)) continue
      await expectRejection(probing, sent(JSON.stringify(value)), [400], `the body has a fault at "${pointer}" (${fault})`)
    }
  },
}
export const contentTypeRule = {
  name: 'content-type',
  description: 'A body of a type that is not declared, or of none, is refused: 415.',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.body !== undefined,
  probe: async (probing) => {
    const [call] = probing.sampleCalls(1)
    if (call === undefined) return
    const asked = await probing.buildRequest(call)
    const accepted = probing.subject.endpoint.body === undefined ? [] : getEssences(probing.subject.endpoint.body)
    const wrong = ['application/x-no-such-type', 'no type'].filter((type) => !accepted.includes(type))
    for (const type of wrong) await expectRejection(probing, withHeaderLines(asked, 'Content-Type', type), [415], `Content-Type is ${type}`)
    await expectRejection(probing, withHeaderLines(asked, 'Content-Type'), [415], 'there is no Content-Type')
    await expectRejection(
      probing,
      withHeaderLines(asked, 'Content-Encoding', 'x-no-such-coding'),
      [415],
      'Content-Encoding is x-no-such-coding',
    )
  },
}
export const acceptRule = {
  name: 'accept',
  description: 'Accept is heeded: each offered type is sent when it is asked for, and 406 answers a type that is not.',
  appliesTo: (probing) => canReachHandler(probing) && requestSteps['negotiation'].appliesTo(probing.subject.endpoint),
  probe: async (probing) => {
    const { send: ask, fail: complain, buildRequest: request, sampleCalls: calls, subject } = probing
    const [call] = calls(1)
    const { content, status } = subject.endpoint.response
    if (call === undefined || content === undefined) return
    const asked = await request(call)
    await expectRejection(
      probing,
      withHeaderLines(asked, 'Accept', 'application/x-no-such-type'),
      [406],
      'Accept is application/x-no-such-type',
    )
    for (const type of isSafeEndpoint(subject) ? getEssences(content) : []) {
      const answered = await ask(withHeaderLines(asked, 'Accept', type), 'valid')
      const sent = answered.header('content-type') ?? 'none'
      if (answered.status === status && sent.split(';', 1)[0]?.trim().toLowerCase() !== type)
        complain(`Accept is ${type}, Content-Type is ${sent}`)
    }
  },
}
export const credentialsRule = {
  name: 'credentials',
  description: 'Without credentials a protected endpoint says 401, before it looks at anything else.',
  appliesTo: ({ subject, write }) => subject.endpoint.auth !== undefined && (write || isSafeEndpoint(subject)),
  probe: async (probing) => {
    const [call] = probing.sampleCalls(1)
    if (call === undefined) return
    const asked = await probing.buildRequest(call)
    const shows = new Set([
      'authorization',
      'cookie',
      ...(probing.subject.endpoint.auth === undefined ? [] : listAuthHeaderNames(probing.subject.endpoint.auth)),
    ])
    const bare = { ...asked, headers: asked.headers.filter(([name]) => !shows.has(name.toLowerCase())) }
    await expectRejection(probing, bare, [401], 'there are no credentials')
    await expectRejection(
      probing,
      withHeaderLines(bare, 'Accept', 'application/x-no-such-type'),
      [401],
      'there are no credentials, and no type that is accepted',
    )
    await expectRejection(
      probing,
      withHeaderLines(bare, 'Content-Type', 'application/x-no-such-type'),
      [401],
      'there are no credentials, and the body has another type',
    )
    const target = `${bare.target}${bare.target.includes('?') ? '&' : '?'}%zz`
    await expectRejection(probing, { ...bare, target }, [401], 'there are no credentials, and the query cannot be read')
  },
}
