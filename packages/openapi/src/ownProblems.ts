/**
 * The problem details of a document that the toolkit has written. It lists every error that a server of the toolkit sends; a description
 * declares those of its handlers alone.
 */
import type { JsonSchema } from 'lapidary'
import { isJsonObject, isSameSchema, problemSchema, quotaProblemSchema } from 'lapidary/internal'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import type { DocumentSchemas } from './schemas.ts'

/** Problem details of a type of its own. */
export interface ProblemPlan {
  readonly type: string
  readonly title: string
  /** The schema of its further members; undefined: it has none. */
  readonly members: JsonSchema | undefined
}

/** What an error of a document of the toolkit says. */
export interface OwnError {
  readonly problems: readonly ProblemPlan[]
  /** Whether it has problem details of no type of its own. */
  readonly isPlain: boolean
  /** Its content besides. */
  readonly content: Part<JsonObject> | undefined
}

const problemType = 'application/problem+json'
const ownMembers = ['type', 'title', 'status', 'detail']

/** A problem of a type of its own; undefined for any other schema. */
function toProblem(schema: JsonSchema): ProblemPlan | undefined {
  const { properties = {}, required = [], ...rest } = schema
  const type = properties['type']?.const ?? properties['type']?.enum?.[0]
  if (typeof type !== 'string' || (properties['status']?.const ?? properties['status']?.enum) === undefined) return undefined
  const members = Object.entries(properties).filter(([name]) => !ownMembers.includes(name))
  const needed = required.filter((name) => !ownMembers.includes(name))
  const declared = { ...rest, properties: Object.fromEntries(members), ...(needed.length > 0 && { required: needed }) }
  return { type, title: String(properties['title']?.examples?.[0] ?? ''), members: members.length > 0 ? declared : undefined }
}

/** Reads the errors of a document that the toolkit has written. */
export class OwnProblems {
  private readonly reader: DocumentReader
  private readonly schemas: DocumentSchemas
  /** Whether the toolkit has written the document: it has the problem details of the toolkit. */
  readonly isOwn: boolean

  constructor(reader: DocumentReader, schemas: DocumentSchemas) {
    this.reader = reader
    this.schemas = schemas
    const { pointer } = reader.at('/components/schemas')
    const all = reader.entries(reader.at(pointer))
    this.isOwn = all.some(([name, part]) => /^Problem\d*$/.test(name) && this.isPlain(part))
  }

  private isPlain(part: Part): boolean {
    const schema = this.schemas.of(part, 'response')
    return isSameSchema(schema, problemSchema) || isSameSchema(schema, quotaProblemSchema)
  }

  /** The problem details of an error apart from its other content; undefined in a document of another program. */
  read(response: Part): OwnError | undefined {
    if (!this.isOwn) return undefined
    const content = this.reader.object(response, 'content')
    const media = content && this.reader.object(content, problemType)
    if (content === undefined || media === undefined) return { problems: [], isPlain: false, content }
    const { anyOf } = isJsonObject(media.value['schema']) ? media.value['schema'] : {}
    const pointer = `${media.pointer}/schema`
    const parts: readonly Part[] = Array.isArray(anyOf)
      ? anyOf.map((value: unknown, index) => ({ value, pointer: `${pointer}/anyOf/${index}` }))
      : [{ value: media.value['schema'], pointer }]
    const plain = parts.filter((part) => this.isPlain(part))
    const others = parts.filter((part) => !plain.includes(part)).map((part) => toProblem(this.schemas.of(part, 'response')))
    const problems = others.filter((problem) => problem !== undefined)
    // Another schema of problem details is a body like any other.
    if (problems.length < others.length) return { problems: [], isPlain: false, content }
    const { [problemType]: _, ...rest } = content.value
    return { problems, isPlain: plain.length > 0, content: Object.keys(rest).length > 0 ? { ...content, value: rest } : undefined }
  }
}
