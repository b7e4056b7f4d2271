/** The body of a page as an object: its items, and one more member, such as the cursor of the next page. */
import { list } from '../contract/list.ts'
import { isPromise } from '../http/promises.ts'
import { describeValue } from '../json-schema/invalidPlaces.ts'
import { isJsonObject, type JsonSchema } from '../json-schema/jsonSchema.ts'
import { embedJsonSchema } from '../json-schema/references.ts'
import {
  createSchema,
  getEncoder,
  getJsonSchema,
  prefixIssue,
  type Schema,
  type StandardSchemaResult,
} from '../json-schema/standardSchema.ts'

/** The member beside the items. */
interface PageMember {
  readonly name: string
  readonly jsonSchema: JsonSchema
  readonly isRequired: boolean
  readonly isValid: (value: unknown) => boolean
  /** What a value has to be, to follow the word "expected". */
  readonly expected: string
}

/**
 * Returns the schema of the body.
 *
 * @param items the name of the member with the items
 */
export function createPageBody<ItemInput, ItemOutput>(
  item: Schema<ItemInput, ItemOutput>,
  items: string,
  { name, jsonSchema: memberSchema, isRequired, isValid, expected }: PageMember,
): Schema<unknown, unknown> {
  const listSchema = list(item)
  const jsonSchema: JsonSchema = Object.freeze({
    type: 'object',
    // Computed names, so that one such as `__proto__` is a member.
    properties: {
      [items]: embedJsonSchema(getJsonSchema(listSchema), `/properties/${items.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      [name]: memberSchema,
    },
    required: isRequired ? [items, name] : [items],
  })

  function validate(value: unknown): StandardSchemaResult<unknown> | Promise<StandardSchemaResult<unknown>> {
    if (!isJsonObject(value)) return { issues: [{ message: `expected an object, got ${describeValue(value)}` }] }
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (!(member === undefined ? !isRequired : isValid(member)))
      return { issues: [{ message: `expected ${expected}, got ${describeValue(member)}`, path: [name] }] }
    const complete = (result: StandardSchemaResult<readonly ItemOutput[]>): StandardSchemaResult<unknown> =>
      result.issues === undefined
        ? { value: member === undefined ? { [items]: result.value } : { [items]: result.value, [name]: member } }
        : { issues: result.issues.map((issue) => prefixIssue(issue, items, listSchema)) }
    const result = listSchema['~standard'].validate(Object.hasOwn(value, items) ? value[items] : undefined)
    return isPromise(result) ? result.then(complete) : complete(result)
  }

  const encode = getEncoder(listSchema)
  return createSchema({
    validate,
    getJsonSchema: () => ({ ...jsonSchema }),
    parts: [listSchema],
    encoding: encode && {
      // Each member by its name: a spread would leave out the getters of an instance of a class.
      encode: (value) => (isJsonObject(value) ? { [items]: encode(value[items]), [name]: value[name] } : value),
      source: item,
    },
  })
}
