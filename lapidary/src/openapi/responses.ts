/** Everything that an endpoint may answer, by status: its reply, its declared errors, and what the toolkit answers in place of the handler. */
import { isVaried } from '../describe/content.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Content } from '../describe/medium.ts'
import type { Reply } from '../describe/reply.ts'
import { isBodiless, reasonOf } from '../describe/status.ts'
import { refusalsOf, type Step } from '../describe/steps.ts'
import { parted } from '../examples/parted.ts'
import { contentOf } from './content.ts'
import type { ContentObject, HeaderObject, ResponseObject } from './document.ts'
import { merged } from './merged.ts'
import { headerObject } from './parameters.ts'
import { problemSchema } from './problemSchema.ts'
import type { Schemas } from './schemas.ts'

type Headers = Readonly<Record<string, HeaderObject>>
type AnyReply = Reply<unknown, unknown>

/** Headers whose values are known. */
const constants = (values: Readonly<Record<string, string>>, isRequired: boolean): Headers =>
  Object.fromEntries(
    Object.entries(values).map(([name, example]) => [
      name,
      { required: isRequired ? true : undefined, schema: { type: 'string' }, example },
    ]),
  )

const problem = (schemas: Schemas): ContentObject => ({ 'application/problem+json': { schema: schemas.of(problemSchema) } })

function descriptionOf({ description }: AnyReply, content: Content<unknown, unknown> | undefined): string {
  const sentences = [description, ...(content?.media ?? []).map(({ framing }) => framing)]
  return sentences.filter((sentence) => sentence !== undefined).join('\n\n')
}

/** An answer that a reply declares; `content` is what of its content is sent. */
async function declared(
  { route, always }: AnyEndpoint,
  reply: AnyReply,
  content: Content<unknown, unknown> | undefined,
  example: unknown,
  schemas: Schemas,
): Promise<ResponseObject> {
  const place = `${route}, response ${reply.status}`
  const { body, headers } = parted(reply, example, place)
  const typed = Object.entries(reply.headers).map(([name, parameter]): [string, HeaderObject] => [
    name,
    headerObject(parameter, headers[name] === undefined ? undefined : parameter.write(headers[name]), schemas),
  ])
  return {
    description: descriptionOf(reply, content),
    headers: { ...Object.fromEntries(typed), ...constants(always, true) },
    content: content === undefined ? undefined : await contentOf(content, body, place, schemas),
  }
}

async function success(endpoint: AnyEndpoint, schemas: Schemas): Promise<ResponseObject> {
  const { response, examples } = endpoint
  const made = await declared(endpoint, response, response.content, examples.response, schemas)
  const varied = response.content !== undefined && isVaried(response.content) ? constants({ Vary: 'Accept' }, true) : {}
  return { ...made, headers: { ...made.headers, ...varied } }
}

async function error(endpoint: AnyEndpoint, reply: AnyReply, schemas: Schemas): Promise<ResponseObject> {
  const [medium] = reply.content?.media ?? []
  // An error is not negotiated: the first type is the only one.
  const content = medium && { schema: reply.content?.schema, media: [{ ...medium, types: [medium.types[0]] as const }] }
  const made = await declared(endpoint, reply, content, undefined, schemas)
  return content !== undefined || isBodiless(reply.status) ? made : { ...made, content: problem(schemas) }
}

function refused({ description, headers }: Step, endpoint: AnyEndpoint, schemas: Schemas): ResponseObject {
  const own = headers(endpoint)
  return {
    description,
    // Of several headers of its own, a refusal carries one.
    headers: { ...constants(own, Object.keys(own).length === 1), ...constants(endpoint.always, true) },
    content: problem(schemas),
  }
}

/** Every answer of an endpoint, by its status. @throws TypeError for an example that does not fit. */
export async function responsesOf(endpoint: AnyEndpoint, schemas: Schemas): Promise<Record<string, ResponseObject>> {
  const answers: (readonly [status: number, ResponseObject])[] = [[endpoint.response.status, await success(endpoint, schemas)]]
  for (const reply of endpoint.errors) answers.push([reply.status, await error(endpoint, reply, schemas)])
  for (const step of refusalsOf(endpoint)) answers.push([step.status, refused(step, endpoint, schemas)])
  const together = (status: number): ResponseObject =>
    merged(
      answers.filter(([other]) => other === status).map(([, response]) => response),
      reasonOf(status),
    )
  return Object.fromEntries([...new Set(answers.map(([status]) => status))].map((status) => [status, together(status)]))
}
