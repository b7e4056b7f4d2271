/** The examples of an endpoint: one without a name, or several by name. */
import { isJsonObject } from '../json-schema/jsonSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** An example of an endpoint. The default of a value is one that its schema allows. */
export interface NamedExample<BodyValue, ResponseValue> {
  /** One line for documentation. */
  readonly summary?: string
  readonly body?: BodyValue
  /** What a handler returns: also `respond(status, value)`. */
  readonly response?: ResponseValue
}

/** One example without a name. */
export interface UnnamedExample<BodyValue, ResponseValue> {
  readonly body?: BodyValue
  readonly response?: ResponseValue
}

/** Examples by name. No name is `body` or `response`: these tell one example without a name from several. */
interface NamedExamples<BodyValue, ResponseValue> {
  readonly body?: never
  readonly response?: never
  readonly [name: string]: NamedExample<BodyValue, ResponseValue> | undefined
}

/** Values to show in documentation: `{ body, response }`, or several by name. */
export type Examples<BodyValue, ResponseValue> = UnnamedExample<BodyValue, ResponseValue> | NamedExamples<BodyValue, ResponseValue>

/** Whether these are one example without a name. */
export const isUnnamed = (examples: object): boolean => Object.hasOwn(examples, 'body') || Object.hasOwn(examples, 'response')

const hasOnly = (value: unknown, ...keys: readonly string[]): boolean =>
  isJsonObject(value) && Object.keys(value).every((key) => keys.includes(key))

/** @throws TypeError for examples that are neither one without a name nor several by name. */
export function checkExamples(route: string, examples: unknown): void {
  const isValid =
    isJsonObject(examples) &&
    (isUnnamed(examples)
      ? hasOnly(examples, 'body', 'response')
      : Object.values(examples).every((example) => hasOnly(example, 'summary', 'body', 'response')))
  if (!isValid) throw new TypeError(developerErrors.invalidExamples(route))
}
