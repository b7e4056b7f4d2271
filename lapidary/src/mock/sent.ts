/** Bodies as they were sent, beside what their schema makes of them: what is kept is answered again as it stood on the wire. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getJsonSchema, type Schema, type StandardSchemaResult } from '../describe/schema.ts'

/** A body that was read. */
export interface PassThroughBody {
  readonly sent: unknown
  /** As the schema gives it to a handler. */
  readonly parsed: unknown
}

const pairWithSent = (verdict: StandardSchemaResult<unknown>, sent: unknown): StandardSchemaResult<PassThroughBody> =>
  verdict.issues === undefined ? { value: { sent, parsed: verdict.value } } : verdict

function passThroughSchema(schema: Schema): Schema<unknown, PassThroughBody> {
  const { version, vendor, validate } = schema['~standard']
  return {
    '~standard': {
      version,
      vendor,
      validate: (value) => {
        const verdict = validate(value)
        return verdict instanceof Promise ? verdict.then((late) => pairWithSent(late, value)) : pairWithSent(verdict, value)
      },
      jsonSchema: { input: () => ({ ...getJsonSchema(schema) }) },
    },
  }
}

/** The same endpoint, whose handler gets a `PassThroughBody` as its body where that has a schema. */
export const passThroughEndpoint = (endpoint: AnyEndpoint): AnyEndpoint =>
  endpoint.body?.schema === undefined
    ? endpoint
    : { ...endpoint, body: { ...endpoint.body, schema: passThroughSchema(endpoint.body.schema) } }

/** The body as it was sent, of an endpoint that keeps it. */
export const getSentBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody).sent

/** The body as any handler gets it. */
export const getParsedBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody).parsed
