/** Everything that an endpoint may answer, by status: its reply, its declared errors, and what the toolkit answers in place of the handler. */
import { isNegotiated } from '../describe/content.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Content } from '../describe/medium.ts'
import type { Reply } from '../describe/reply.ts'
import { getReasonPhrase, isNullBodyStatus } from '../describe/status.ts'
import { getBuiltInErrors, type RequestStep } from '../describe/steps.ts'
import { splitExample } from '../examples/parted.ts'
import { createContentObject } from './content.ts'
import type { ContentObject, HeaderObject, ResponseObject } from './document.ts'
import { mergeResponses } from './merged.ts'
import { createHeaderObject } from './parameters.ts'
import { problemSchema } from './problemSchema.ts'
import type { SchemaObjects } from './schemas.ts'

type HeaderObjects = Readonly<Record<string, HeaderObject>>
type UntypedReply = Reply<unknown, unknown>

/** Headers whose values are known. */
const createConstantHeaders = (values: Readonly<Record<string, string>>, isRequired: boolean): HeaderObjects =>
  Object.fromEntries(
    Object.entries(values).map(([name, example]) => [
      name,
      { required: isRequired ? true : undefined, schema: { type: 'string' }, example },
    ]),
  )

const createProblemContent = (schemas: SchemaObjects): ContentObject => ({
  'application/problem+json': { schema: schemas.of(problemSchema) },
})

function describeReply({ description }: UntypedReply, content: Content<unknown, unknown> | undefined): string {
  const sentences = [description, ...(content?.media ?? []).map(({ framing }) => framing)]
  return sentences.filter((sentence) => sentence !== undefined).join('\n\n')
}

/** An answer that a reply declares; `content` is what of its content is sent. */
async function createDeclaredResponse(
  { route, responseHeaders: always }: AnyEndpoint,
  reply: UntypedReply,
  content: Content<unknown, unknown> | undefined,
  example: unknown,
  schemas: SchemaObjects,
): Promise<ResponseObject> {
  const place = `${route}, response ${reply.status}`
  const { body, headers } = splitExample(reply, example, place)
  const typed = Object.entries(reply.headers).map(([name, parameter]): [string, HeaderObject] => [
    name,
    createHeaderObject(parameter, headers[name] === undefined ? undefined : parameter.write(headers[name]), schemas),
  ])
  return {
    description: describeReply(reply, content),
    headers: { ...Object.fromEntries(typed), ...createConstantHeaders(always, true) },
    content: content === undefined ? undefined : await createContentObject(content, body, place, schemas),
  }
}

async function createSuccessResponse(endpoint: AnyEndpoint, schemas: SchemaObjects): Promise<ResponseObject> {
  const { response, examples } = endpoint
  const made = await createDeclaredResponse(endpoint, response, response.content, examples.response, schemas)
  const varied = response.content !== undefined && isNegotiated(response.content) ? createConstantHeaders({ Vary: 'Accept' }, true) : {}
  return { ...made, headers: { ...made.headers, ...varied } }
}

async function createErrorResponse(endpoint: AnyEndpoint, reply: UntypedReply, schemas: SchemaObjects): Promise<ResponseObject> {
  const [medium] = reply.content?.media ?? []
  // An error is not negotiated: the first type is the only one.
  const content = medium && { schema: reply.content?.schema, media: [{ ...medium, types: [medium.types[0]] as const }] }
  const made = await createDeclaredResponse(endpoint, reply, content, undefined, schemas)
  return content !== undefined || isNullBodyStatus(reply.status) ? made : { ...made, content: createProblemContent(schemas) }
}

function createBuiltInError({ description, headers }: RequestStep, endpoint: AnyEndpoint, schemas: SchemaObjects): ResponseObject {
  const own = headers(endpoint)
  return {
    description,
    // Of several headers of its own, a refusal carries one.
    headers: { ...createConstantHeaders(own, Object.keys(own).length === 1), ...createConstantHeaders(endpoint.responseHeaders, true) },
    content: createProblemContent(schemas),
  }
}

/** Every answer of an endpoint, by its status. @throws TypeError for an example that does not fit. */
export async function createResponseObjects(endpoint: AnyEndpoint, schemas: SchemaObjects): Promise<Record<string, ResponseObject>> {
  const answers: (readonly [status: number, ResponseObject])[] = [
    [endpoint.response.status, await createSuccessResponse(endpoint, schemas)],
  ]
  for (const reply of endpoint.errors) answers.push([reply.status, await createErrorResponse(endpoint, reply, schemas)])
  for (const step of getBuiltInErrors(endpoint)) answers.push([step.status, createBuiltInError(step, endpoint, schemas)])
  const together = (status: number): ResponseObject =>
    mergeResponses(
      answers.filter(([other]) => other === status).map(([, response]) => response),
      getReasonPhrase(status),
    )
  return Object.fromEntries([...new Set(answers.map(([status]) => status))].map((status) => [status, together(status)]))
}
