/** Bodies as they were sent, beside what their schema makes of them: what is kept is answered again as it stood on the wire. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { jsonSchemaOf, type Schema, type Verdict } from '../describe/schema.ts'

/** A body that was read. */
export interface Sent {
  readonly sent: unknown
  /** As the schema gives it to a handler. */
  readonly read: unknown
}

const besides = (verdict: Verdict<unknown>, sent: unknown): Verdict<Sent> =>
  verdict.issues === undefined ? { value: { sent, read: verdict.value } } : verdict

function keeping(schema: Schema): Schema<unknown, Sent> {
  const { version, vendor, validate } = schema['~standard']
  return {
    '~standard': {
      version,
      vendor,
      validate: (value) => {
        const verdict = validate(value)
        return verdict instanceof Promise ? verdict.then((late) => besides(late, value)) : besides(verdict, value)
      },
      jsonSchema: { input: () => ({ ...jsonSchemaOf(schema) }) },
    },
  }
}

/** The same endpoint, whose handler gets a `Sent` as its body where that has a schema. */
export const keepingSent = (endpoint: AnyEndpoint): AnyEndpoint =>
  endpoint.body?.schema === undefined ? endpoint : { ...endpoint, body: { ...endpoint.body, schema: keeping(endpoint.body.schema) } }

/** The body as it was sent, of an endpoint that keeps it. */
export const sentTo = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as Sent).sent

/** The body as any handler gets it. */
export const readBy = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as Sent).read
