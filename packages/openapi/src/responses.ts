/** The responses of an operation as replies, one for each status. */
import { reply, type StatusRange } from 'lapidary'
import { isNullBodyStatus } from 'lapidary/internal'
import type { BodyPlan, BodyReader } from './bodies.ts'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import type { OwnProblems, ProblemPlan } from './ownProblems.ts'
import type { ParameterPlan, ParameterReader } from './parameters.ts'

/** A declared response. */
export interface ReplyPlan {
  readonly status: number
  /** Absent where it has one status. */
  readonly range?: StatusRange
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

/** The statuses that a range of success stands for: those that handlers usually send. */
const rangeStatuses: Readonly<Record<string, readonly number[]>> = {
  '2XX': [200, 201, 202, 204],
  '3XX': [301, 302, 303, 307, 308],
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
    const upper = key.toUpperCase()
    if (upper === '4XX' || upper === '5XX') return this.planReplies(upper, part)
    const statuses = rangeStatuses[upper]
    if (statuses === undefined) {
      if (/^1XX$/i.test(key)) this.reader.limits.add('status', part.pointer, 'No reply has a status below 200. It is left out.')
      return []
    }
    const missing = statuses.filter((status) => known.every((reply) => reply.status !== status))
    this.reader.limits.add('status-range', part.pointer, `A response of success has one status. ${key} is read as ${missing.join(', ')}.`)
    return missing.flatMap((status) => this.planReplies(status, part))
  }

  /** The default is an error of any other status. Without a response of success, it is that, too. */
  private planDefault(part: Part<JsonObject>, known: readonly ReplyPlan[]): readonly ReplyPlan[] {
    const others = this.planReplies('default', part)
    if (known.some(({ status }) => status < 400)) return others
    this.reader.limits.add(
      'default-response',
      part.pointer,
      'A response of success has one status. The default is read as 200, and as any error.',
    )
    return [...this.planReplies(200, part), ...others]
  }

  /** One reply; of an error of the toolkit, one for each of its problem types. */
  private planReplies(key: number | StatusRange, part: Part<JsonObject>): readonly ReplyPlan[] {
    // The status that the toolkit has for a range, as in an example.
    const { status, range } = typeof key === 'number' ? { status: key } : reply(key)
    const own = status >= 400 ? this.problems.read(part) : undefined
    const content = own === undefined ? this.reader.object(part, 'content') : own.content
    const hasBody = !isNullBodyStatus(status)
    if (!hasBody && this.reader.entries(content).length > 0)
      this.reader.limits.add('status', `${part.pointer}/content`, `A response ${status} has no body (RFC 9110). It is left out.`)
    for (const [name, link] of this.reader.entries(this.reader.object(part, 'links')))
      this.reader.limits.add('link', link.pointer, `The link "${name}" is left out: a description has no links between operations.`)
    const plan: ReplyPlan = {
      status,
      ...(range && { range }),
      body: hasBody ? this.bodies.plan(content, 'response') : undefined,
      headers: this.planHeaders(part),
      description: this.reader.text(part, 'description'),
    }
    if (own === undefined) return [plan]
    const problems = own.problems.map((problem) => ({ ...plan, body: undefined, problem }))
    if (plan.body !== undefined) return [...problems, plan]
    return own.isPlain || problems.length === 0 ? [...problems, { ...plan, ...(own.isPlain && { isPlain: true as const }) }] : problems
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
