/** The responses of an operation as replies, one for each status. */
import { isNullBodyStatus } from 'lapidary/internal'
import type { BodyPlan, BodyReader } from './bodies.ts'
import { type DocumentReader, type JsonObject, type Part, toText } from './document.ts'
import type { OwnProblems, ProblemPlan } from './ownProblems.ts'
import type { ParameterPlan, ParameterReader } from './parameters.ts'

/** A declared response. */
export interface ReplyPlan {
  readonly status: number
  readonly body: BodyPlan | undefined
  readonly headers: readonly ParameterPlan[]
  readonly description: string | undefined
  /** Its body is problem details of a type of its own. */
  readonly problem?: ProblemPlan
  /** Its body is problem details of no type of its own, as the toolkit sends them. */
  readonly isPlain?: true
}

/** The responses of an operation. */
export interface ReplyPlans {
  /** Those below 400, the usual one first. */
  readonly responses: readonly [ReplyPlan, ...ReplyPlan[]]
  readonly errors: readonly ReplyPlan[]
}

/** The statuses that a range stands for: those that handlers usually send. The toolkit sends the others of its own accord. */
const rangeStatuses: Readonly<Record<string, readonly number[]>> = {
  '2XX': [200, 201, 202, 204],
  '3XX': [301, 302, 303, 307, 308],
  '4XX': [400, 401, 402, 403, 404, 409, 410, 412, 422, 423, 429],
  '5XX': [500, 501, 502, 503, 504],
}

/** Reads the responses of one document. */
export class ResponseReader {
  private readonly reader: DocumentReader
  private readonly bodies: BodyReader
  private readonly parameters: ParameterReader
  private readonly problems: OwnProblems

  constructor(reader: DocumentReader, bodies: BodyReader, parameters: ParameterReader, problems: OwnProblems) {
    this.reader = reader
    this.bodies = bodies
    this.parameters = parameters
    this.problems = problems
  }

  /** The replies of an operation. It has at least one of success. */
  plan(operation: Part): ReplyPlans {
    const parts = this.reader.objects(this.reader.object(operation, 'responses')).filter(([key]) => !key.startsWith('x-'))
    const exact = parts.flatMap(([key, part]) => {
      const status = Number(key)
      if (/^[1-5][X]{2}$/i.test(key) || key === 'default') return []
      if (Number.isInteger(status) && status >= 200 && status <= 599) return this.planReplies(status, part)
      this.reader.limits.add(
        'status',
        part.pointer,
        `A response has a status from 200 to 599, and not ${JSON.stringify(key)}. It is left out.`,
      )
      return []
    })
    const replies = [...exact]
    for (const [key, part] of parts) replies.push(...this.planRange(key, part, replies))
    const fallback = parts.find(([key]) => key === 'default')
    if (fallback !== undefined) replies.push(...this.planDefault(fallback[1], replies))
    const [first, ...others] = replies.filter(({ status }) => status < 400)
    if (first === undefined) {
      const pointer = `${operation.pointer}/responses`
      this.reader.limits.add('no-success', pointer, 'No response of success is declared. 204 without a body stands in its place.')
      return { responses: [{ status: 204, body: undefined, headers: [], description: undefined }], errors: replies }
    }
    return { responses: [first, ...others], errors: replies.filter(({ status }) => status >= 400) }
  }

  private planRange(key: string, part: Part<JsonObject>, known: readonly ReplyPlan[]): readonly ReplyPlan[] {
    const statuses = rangeStatuses[key.toUpperCase()]
    if (statuses === undefined) {
      if (/^1XX$/i.test(key)) this.reader.limits.add('status', part.pointer, 'No reply has a status below 200. It is left out.')
      return []
    }
    const isKnown = (status: number): boolean => known.some((reply) => reply.status === status)
    const missing = statuses.filter((status) => !isKnown(status))
    this.reader.limits.add('status-range', part.pointer, `A reply has one status. ${key} is read as ${missing.join(', ')}.`)
    return missing.flatMap((status) => this.planReplies(status, part))
  }

  /** Without a response of success, the default is that; with one, it describes the errors. */
  private planDefault(part: Part<JsonObject>, known: readonly ReplyPlan[]): readonly ReplyPlan[] {
    const isSuccess = known.every(({ status }) => status >= 400)
    const statuses = isSuccess ? [200] : (rangeStatuses['4XX'] ?? []).filter((status) => known.every((reply) => reply.status !== status))
    this.reader.limits.add(
      'default-response',
      part.pointer,
      `A reply has one status. The default is read as ${statuses.join(', ')}${isSuccess ? '' : '; a status from 500 on is not expected'}.`,
    )
    return statuses.flatMap((status) => this.planReplies(status, part))
  }

  /** One reply; of an error of the toolkit, one for each of its problem types. */
  private planReplies(status: number, part: Part<JsonObject>): readonly ReplyPlan[] {
    const own = status >= 400 ? this.problems.read(part) : undefined
    const content = own === undefined ? this.reader.object(part, 'content') : own.content
    const hasBody = !isNullBodyStatus(status)
    if (!hasBody && this.reader.entries(content).length > 0)
      this.reader.limits.add('status', `${part.pointer}/content`, `A response ${status} has no body (RFC 9110). It is left out.`)
    for (const [name, link] of this.reader.entries(this.reader.object(part, 'links')))
      this.reader.limits.add('link', link.pointer, `The link "${name}" is left out: a description has no links between operations.`)
    const reply: ReplyPlan = {
      status,
      body: hasBody ? this.bodies.plan(content, 'response') : undefined,
      headers: this.planHeaders(part),
      description: toText(part.value['description']),
    }
    if (own === undefined) return [reply]
    const problems = own.problems.map((problem) => ({ ...reply, body: undefined, problem }))
    if (reply.body !== undefined) return [...problems, reply]
    return own.isPlain || problems.length === 0 ? [...problems, { ...reply, ...(own.isPlain && { isPlain: true as const }) }] : problems
  }

  private planHeaders(part: Part<JsonObject>): readonly ParameterPlan[] {
    const seen = new Set<string>()
    return this.reader.objects(this.reader.object(part, 'headers')).flatMap(([name, header]) => {
      // The toolkit tells the accepted media types of a body by itself.
      if (this.problems.isOwn && name === 'Accept') return []
      const plan = seen.has(name.toLowerCase()) ? undefined : this.parameters.planHeader(name, header)
      seen.add(name.toLowerCase())
      return plan === undefined ? [] : [plan]
    })
  }
}
