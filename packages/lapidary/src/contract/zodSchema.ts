/** What a schema of zod is made of (https://zod.dev/library-authors). */

/** What defines a schema of zod. */
export interface ZodDefinition extends Readonly<Record<string, unknown>> {
  readonly type: string
  /** Of a schema that is made when it is first needed. */
  readonly getter?: () => unknown
  /** Of an object. */
  readonly shape?: Readonly<Record<string, unknown>>
}

/** A value that a schema runs on, or its result. */
interface ZodPayload {
  readonly value: unknown
  readonly issues: readonly unknown[]
}

/** What a schema of zod has beside its public members. */
export interface ZodInternals {
  readonly def: ZodDefinition
  /** Of a value that can be absent where it is decoded: `optional`, or `defaulted` in later versions. */
  readonly optin?: string | undefined
  /** Of a value that can be absent where it is decoded to: `optional`. */
  readonly optout?: string | undefined
  /** Decodes a value, or encodes one. It returns a promise if it waits, and throws then unless `async` is true. */
  readonly run: (
    payload: ZodPayload,
    context: { readonly async: boolean; readonly direction?: 'backward' },
  ) => ZodPayload | Promise<ZodPayload>
}

/** Returns the internals of a schema of zod; undefined for any other value. */
export const getZodInternals = (value: unknown): ZodInternals | undefined => (Object(value) as { readonly _zod?: ZodInternals })._zod

/** The members of a definition that are schemas: of the whole value, of its items or members, and lists of schemas. */
const wholeKeys = ['innerType', 'in', 'out', 'left', 'right'] as const
const memberKeys = ['element', 'keyType', 'valueType', 'rest', 'catchall'] as const
const listKeys = ['options', 'items'] as const

/** A part of a schema, and the path to it. */
export type PartOfSchema = readonly [path: readonly string[], part: unknown]

/** The schemas that a schema of zod encodes with. Others that it has, such as one in a default or in a check, encode nothing. */
export function listParts({ getter, shape = {}, ...definition }: ZodDefinition, path: readonly string[]): readonly PartOfSchema[] {
  return [
    ...(getter === undefined ? [] : [[path, getter()] as const]),
    ...Object.entries(shape).map(([name, part]) => [[...path, name], part] as const),
    ...wholeKeys.map((key) => [path, definition[key]] as const),
    ...memberKeys.map((key) => [[...path, '*'], definition[key]] as const),
    ...listKeys.flatMap((key) => (definition[key] as readonly unknown[] | undefined) ?? []).map((part) => [path, part] as const),
  ]
}
