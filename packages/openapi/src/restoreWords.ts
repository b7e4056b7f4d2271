/**
 * The words of an endpoint in a document that the toolkit has written. The document has what they add to requests and responses: `etag` adds
 * conditional headers, a 304 and a 412. A description has the word instead, and the server adds the same again.
 */
import type { Deprecation, RateLimitPolicy } from 'lapidary'
import { optionalAuthText, restText } from 'lapidary/internal'
import type { EndpointPlan, EndpointWords } from './endpointPlan.ts'
import type { ParameterPlan } from './parameters.ts'
import type { ReplyPlan } from './responses.ts'

const findHeader = (headers: readonly ParameterPlan[], name: string): ParameterPlan | undefined =>
  headers.find((header) => header.name.toLowerCase() === name.toLowerCase())

const omitHeaders = <Plan extends { readonly headers: readonly ParameterPlan[] }>(plan: Plan, names: readonly string[]): Plan => {
  const lower = new Set(names.map((name) => name.toLowerCase()))
  return { ...plan, headers: plan.headers.filter(({ name }) => !lower.has(name.toLowerCase())) }
}

const mapReplies = (plan: EndpointPlan, change: (reply: ReplyPlan) => ReplyPlan): EndpointPlan => ({
  ...plan,
  responses: plan.responses.map(change) as unknown as EndpointPlan['responses'],
  errors: plan.errors.map(change),
})

const omitStatuses = (plan: EndpointPlan, statuses: readonly number[]): EndpointPlan => ({
  ...plan,
  responses: plan.responses.filter(({ status }) => !statuses.includes(status)) as unknown as EndpointPlan['responses'],
  errors: plan.errors.filter(
    ({ status, range, isPlain, problem, body }) =>
      range !== undefined || !statuses.includes(status) || problem !== undefined || (body !== undefined && !isPlain),
  ),
})

const addWords = (plan: EndpointPlan, words: EndpointWords): EndpointPlan => ({ ...plan, words: { ...plan.words, ...words } })

/** The only value of a header that is a text of one value. */
const getConstant = ({ schema, isRequired }: ParameterPlan): string | undefined => {
  const { type, examples, description: _, ...rest } = schema
  return isRequired && type === 'string' && Object.keys(rest).length === 0 && typeof examples?.[0] === 'string' ? examples[0] : undefined
}

/** A file: what conditional requests and ranges add to it. */
function restoreDownload(plan: EndpointPlan): EndpointPlan {
  const part = plan.responses.find(({ status }) => status === 206)
  const [whole] = plan.responses
  const ranges = findHeader(whole.headers, 'Accept-Ranges')
  const isDownload = part !== undefined && findHeader(part.headers, 'Content-Range') && ranges?.schema.examples?.[0] === 'bytes'
  if (!isDownload || whole.body === undefined) return plan
  const response: ReplyPlan = {
    ...omitHeaders(whole, ['Accept-Ranges', 'ETag', 'Last-Modified', 'Content-Disposition']),
    body: {
      schema: undefined,
      media: whole.body.media.map((media) => ({
        kind: 'download',
        type: 'declared' in media ? media.declared : 'application/octet-stream',
      })) as never,
    },
  }
  const others = omitStatuses({ ...plan, responses: plan.responses.slice(1) as never }, [206, 304, 412, 416])
  const request = omitHeaders(plan, ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'])
  return { ...others, headers: request.headers, responses: [response, ...others.responses] }
}

function restoreEtag(plan: EndpointPlan): EndpointPlan {
  const match = findHeader(plan.headers, 'If-Match')
  if (match === undefined || findHeader(plan.headers, 'If-None-Match') === undefined) return plan
  const [response] = plan.responses
  const isRead = plan.method === 'GET'
  if (isRead && (findHeader(response.headers, 'ETag') === undefined || response.status !== 200)) return plan
  const etag = isRead ? true : match.isRequired ? 'required' : 'optional'
  const bare = omitHeaders(omitStatuses(plan, isRead ? [304, 412] : etag === 'required' ? [412, 428] : [412]), [
    'If-Match',
    'If-None-Match',
  ])
  const [first, ...others] = bare.responses
  return addWords({ ...bare, responses: isRead ? [omitHeaders(first, ['ETag']), ...others] : bare.responses }, { etag })
}

function restoreIdempotency(plan: EndpointPlan): EndpointPlan {
  const key = findHeader(plan.headers, 'Idempotency-Key')
  if (key === undefined || (plan.method !== 'POST' && plan.method !== 'PATCH')) return plan
  return addWords(omitHeaders(plan, ['Idempotency-Key']), { idempotent: key.isRequired ? 'required' : 'optional' })
}

/** The policies of `RateLimit-Policy`: `"tally";q=10;w=60`. */
const parsePolicies = (text: string): readonly RateLimitPolicy[] =>
  [...text.matchAll(/"([^"]+)";q=(\d+);w=(\d+)/g)].map(([, name = '', quota, window]) => ({
    name,
    quota: Number(quota),
    window: Number(window),
  }))

/** The dates and the link of a deprecation, in headers. */
function parseDeprecation(headers: Readonly<Record<string, string>>): Deprecation | undefined {
  const { Deprecation: since, Sunset: sunset, Link: link } = headers
  const [, url] = /^<([^>]*)>; rel="deprecation"$/.exec(link ?? '') ?? []
  if (since === undefined && sunset === undefined && url === undefined) return undefined
  return {
    ...(since !== undefined && { since: new Date(Number(since.slice(1)) * 1_000) }),
    ...(sunset !== undefined && { sunset: new Date(sunset) }),
    ...(url !== undefined && { link: url }),
  }
}

/** Headers that every response has with the same value. */
function restoreConstants(plan: EndpointPlan): EndpointPlan {
  const replies = [...plan.responses, ...plan.errors]
  const [first] = replies
  const constants = (first?.headers ?? []).flatMap((header) => {
    const value = getConstant(header)
    const isEverywhere = replies.every(({ headers }) => {
      const own = findHeader(headers, header.name)
      return own !== undefined && getConstant(own) === value
    })
    return value !== undefined && isEverywhere ? [[header.name, value] as const] : []
  })
  if (constants.length === 0) return plan
  const { 'RateLimit-Policy': policies, ...others } = Object.fromEntries(constants)
  const deprecated = plan.isDeprecated ? parseDeprecation(others) : undefined
  const responseHeaders = Object.fromEntries(
    Object.entries(others).filter(([name]) => deprecated === undefined || !['Deprecation', 'Sunset', 'Link'].includes(name)),
  )
  const names = [...constants.map(([name]) => name), ...(policies === undefined ? [] : ['RateLimit'])]
  return addWords(
    mapReplies(plan, (reply) => omitHeaders(reply, names)),
    {
      ...(policies !== undefined && { rateLimit: parsePolicies(policies) }),
      ...(deprecated && { deprecated }),
      ...(Object.keys(responseHeaders).length > 0 && { responseHeaders }),
    },
  )
}

/** Headers of a media type: those of server-sent events. */
const restoreMediaHeaders = (plan: EndpointPlan): EndpointPlan =>
  mapReplies(plan, (reply) =>
    reply.body?.media.some((media) => media.kind === 'events' || ('declared' in media && media.declared === 'text/event-stream'))
      ? omitHeaders(reply, ['Cache-Control', 'X-Accel-Buffering'])
      : reply,
  )

/** The largest body and the longest time, which the errors for them name. */
function restoreLimits(plan: EndpointPlan): EndpointPlan {
  const describe = (status: number): string => plan.errors.find((error) => error.status === status && error.isPlain)?.description ?? ''
  const [, milliseconds] = /takes longer than ([\d,]+) ms\.$/.exec(describe(503)) ?? []
  const [, size] = /larger than (\d.*)\.$/.exec(describe(413)) ?? []
  const [, bytes] = /^([\d,]+) bytes$/.exec(size ?? '') ?? []
  return addWords(plan, {
    ...(milliseconds !== undefined && { timeout: Number(milliseconds.replaceAll(',', '')) }),
    ...(size !== undefined && { maxBodySize: bytes === undefined ? size : Number(bytes.replaceAll(',', '')) }),
  })
}

function restoreCredentials(plan: EndpointPlan): EndpointPlan {
  const sentence = optionalAuthText(true)
  const isSigned = plan.auth?.flat().some(({ name }) => name === 'webhookSignature') === true
  const signed = isSigned ? addWords(plan, { rawBody: true }) : plan
  if (plan.description?.endsWith(sentence) !== true) return signed
  const description = plan.description.slice(0, -sentence.length).trim()
  return addWords({ ...signed, description: description === '' ? undefined : description }, { ignoresInvalidCredentials: true })
}

/** A capture with the rest of the path, which its description tells. */
function restoreRest(plan: EndpointPlan): EndpointPlan {
  const sentence = restText()
  const last = plan.params.at(-1)
  const { description, ...schema } = last?.schema ?? {}
  if (last === undefined || description?.endsWith(sentence) !== true || !plan.path.endsWith(`/:${last.name}`)) return plan
  const own = description.slice(0, -sentence.length).trim()
  const param: ParameterPlan = { ...last, schema: { ...schema, ...(own !== '' && { description: own }) } }
  return { ...plan, path: plan.path.replace(/:(\w+)$/, '*$1'), params: [...plan.params.slice(0, -1), param] }
}

/** The same endpoint with its words in place of what they add. */
export const restoreWords = (plan: EndpointPlan): EndpointPlan =>
  [
    restoreConstants,
    restoreLimits,
    restoreDownload,
    restoreEtag,
    restoreIdempotency,
    restoreMediaHeaders,
    restoreCredentials,
    restoreRest,
  ].reduce((restored, restore) => restore(restored), plan)
