/** Requests that the description does not allow, each for one reason. */
import { essencesOf } from '../../describe/content.ts'
import { jsonSchemaOf } from '../../describe/schema.ts'
import { steps } from '../../describe/steps.ts'
import { utf8Encoded } from '../../describe/utf8.ts'
import type { Call, CallBody } from '../../generate/calls.ts'
import { takes } from '../../generate/calls.ts'
import { type Place, refusedTextsFor, type Texts } from '../../generate/parameters.ts'
import { spoiled } from '../../generate/spoiled.ts'
import { type Asked, withLines } from '../exchange.ts'
import type { Probe, Probing } from '../predicate.ts'
import { headersOf } from '../secrets.ts'
import { isOpen, isSafe } from './valid.ts'

/** Asks for what has to be refused, with one of these statuses. `what` is wrong with it. */
async function refusal({ ask, complain }: Probing, asked: Asked, statuses: readonly number[], what: string): Promise<void> {
  const { status } = await ask(asked, 'refused')
  if (!statuses.includes(status)) complain(`${what}: expected ${statuses.join(' or ')}, got ${status}`)
}

const shown = (texts: Texts): string => (texts.length === 0 ? 'left out' : texts.map((text) => JSON.stringify(text)).join(', '))

export const captures: Probe = {
  name: 'captures',
  sentence: 'A capture that its codec does not read is refused: 400, or 404.',
  // Where there is a fallback, it is what answers there.
  isAbout: (probing) => isOpen(probing) && !probing.fallback && Object.keys(probing.subject.endpoint.params).length > 0,
  probe: async (probing) => {
    const [call] = probing.calls(1)
    if (call === undefined) return
    for (const [name, codec] of Object.entries(probing.subject.endpoint.params)) {
      for (const [text = ''] of refusedTextsFor(codec, 'capture')) {
        const asked = await probing.request({ ...call, captures: { ...call.captures, [name]: text } })
        await refusal(probing, asked, [400, 404], `:${name} is ${JSON.stringify(text)}`)
      }
    }
  },
}

/** The same for query parameters and headers, one after the other. */
const parameters = (place: Exclude<Place, 'capture'>, part: 'query' | 'headers', noun: string): Probe => ({
  name: part === 'query' ? 'query' : 'request-headers',
  sentence: `A ${noun} that its codec does not read is refused: 400.`,
  isAbout: (probing) => isOpen(probing) && Object.keys(probing.subject.endpoint[part]).length > 0,
  probe: async (probing) => {
    const [call] = probing.calls(1)
    if (call === undefined) return
    for (const [name, parameter] of Object.entries(probing.subject.endpoint[part])) {
      for (const texts of refusedTextsFor(parameter, place)) {
        const changed: Call = { ...call, [part]: { ...call[part], [name]: texts } }
        await refusal(probing, await probing.request(changed), [400], `${name} is ${shown(texts)}`)
      }
    }
  },
})

export const query: Probe = parameters('query', 'query', 'query parameter')
export const requestHeaders: Probe = parameters('header', 'headers', 'header')

export const encoding: Probe = {
  name: 'encoding',
  sentence: 'A path or a query that is not percent-encoded UTF-8 is refused: 400.',
  isAbout: isOpen,
  probe: async (probing) => {
    const [call] = probing.calls(1)
    if (call === undefined) return
    const asked = await probing.request(call)
    for (const wrong of ['%', '%zz', '%ff']) {
      const target = `${asked.target}${asked.target.includes('?') ? '&' : '?'}${wrong}=1`
      await refusal(probing, { ...asked, target }, [400], `the query holds ${wrong}`)
    }
  },
}

const isJson = ({ type }: CallBody): boolean => /^application\/(?:[\w.+-]+\+)?json/.test(type)

export const bodies: Probe = {
  name: 'bodies',
  sentence: 'A body that its schema does not take is refused: 400.',
  isAbout: (probing) => isOpen(probing) && probing.subject.endpoint.body !== undefined,
  probe: async (probing) => {
    const schema = probing.subject.endpoint.body?.schema
    const call = probing.calls(20).find(({ body }) => body !== undefined && isJson(body))
    if (call?.body === undefined) return
    const asked = await probing.request(call)
    const sent = (text: string | Uint8Array): Asked => ({ ...asked, body: typeof text === 'string' ? utf8Encoded(text) : text })
    await refusal(probing, sent('{'), [400], 'the body is no JSON')
    await refusal(probing, sent(Uint8Array.of(0x22, 0xff, 0x22)), [400], 'the body is no UTF-8')
    await refusal(probing, sent(''), [400], 'the body is empty')
    if (schema === undefined) return
    for (const { pointer, fault, value } of spoiled(jsonSchemaOf(schema), call.body.value)) {
      // Beyond its JSON Schema a schema may take more than that says: a number as a text.
      if (takes(schema, value)) continue
      await refusal(probing, sent(JSON.stringify(value)), [400], `the body has a fault at "${pointer}" (${fault})`)
    }
  },
}

export const contentType: Probe = {
  name: 'content-type',
  sentence: 'A body of a type that is not declared, or of none, is refused: 415.',
  isAbout: (probing) => isOpen(probing) && probing.subject.endpoint.body !== undefined,
  probe: async (probing) => {
    const [call] = probing.calls(1)
    if (call === undefined) return
    const asked = await probing.request(call)
    const accepted = probing.subject.endpoint.body === undefined ? [] : essencesOf(probing.subject.endpoint.body)
    const wrong = ['application/x-no-such-type', 'no type'].filter((type) => !accepted.includes(type))
    for (const type of wrong) await refusal(probing, withLines(asked, 'Content-Type', type), [415], `Content-Type is ${type}`)
    await refusal(probing, withLines(asked, 'Content-Type'), [415], 'there is no Content-Type')
    await refusal(probing, withLines(asked, 'Content-Encoding', 'x-no-such-coding'), [415], 'Content-Encoding is x-no-such-coding')
  },
}

export const accept: Probe = {
  name: 'accept',
  sentence: 'Accept is heeded: each offered type is sent when it is asked for, and 406 answers a type that is not.',
  isAbout: (probing) => isOpen(probing) && steps['negotiation'].has(probing.subject.endpoint),
  probe: async (probing) => {
    const { ask, complain, request, calls, subject } = probing
    const [call] = calls(1)
    const { content, status } = subject.endpoint.response
    if (call === undefined || content === undefined) return
    const asked = await request(call)
    await refusal(probing, withLines(asked, 'Accept', 'application/x-no-such-type'), [406], 'Accept is application/x-no-such-type')
    for (const type of isSafe(subject) ? essencesOf(content) : []) {
      const answered = await ask(withLines(asked, 'Accept', type), 'valid')
      const sent = answered.header('content-type') ?? 'none'
      if (answered.status === status && sent.split(';', 1)[0]?.trim().toLowerCase() !== type)
        complain(`Accept is ${type}, Content-Type is ${sent}`)
    }
  },
}

export const credentials: Probe = {
  name: 'credentials',
  sentence: 'Without credentials a protected endpoint says 401, before it looks at anything else.',
  isAbout: ({ subject, write }) => subject.endpoint.auth !== undefined && (write || isSafe(subject)),
  probe: async (probing) => {
    const [call] = probing.calls(1)
    if (call === undefined) return
    const asked = await probing.request(call)
    const shows = new Set([
      'authorization',
      'cookie',
      ...(probing.subject.endpoint.auth === undefined ? [] : headersOf(probing.subject.endpoint.auth)),
    ])
    const bare: Asked = { ...asked, headers: asked.headers.filter(([name]) => !shows.has(name.toLowerCase())) }
    await refusal(probing, bare, [401], 'there are no credentials')
    await refusal(
      probing,
      withLines(bare, 'Accept', 'application/x-no-such-type'),
      [401],
      'there are no credentials, and no type that is accepted',
    )
    await refusal(
      probing,
      withLines(bare, 'Content-Type', 'application/x-no-such-type'),
      [401],
      'there are no credentials, and the body has another type',
    )
    const target = `${bare.target}${bare.target.includes('?') ? '&' : '?'}%zz`
    await refusal(probing, { ...bare, target }, [401], 'there are no credentials, and the query cannot be read')
  },
}
