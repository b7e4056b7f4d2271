/**
 * The JSON-Schema-Test-Suite, read from the folder that JSON_SCHEMA_TEST_SUITE names, and ajv as the judge of its schemas. The suite is not a
 * part of this repository: `schemaCases.ts` has the rows that are always tested.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'

/** A dialect of JSON Schema, named as the folders of the suite are. */
export type Draft = 'draft2020-12' | 'draft7'

/** A schema, with values on which every implementation has to agree. */
export interface SchemaCase {
  /** The keyword that it is about: `allOf`. Cases of one keyword have much in common. */
  readonly keyword: string
  readonly title: string
  readonly schema: JsonSchema | boolean
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[]
}

/** The folder of the suite; undefined where there is none, and the tests of the suite are skipped. */
export const suiteFolder: string | undefined = process.env['JSON_SCHEMA_TEST_SUITE']

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** The required cases of the suite, without those of formats and other options. */
export function readSuite(draft: Draft, folder: string): readonly SchemaCase[] {
  const cases = join(folder, 'tests', draft)
  if (!existsSync(cases)) throw new Error(`JSON_SCHEMA_TEST_SUITE is "${folder}", which has no folder tests/${draft}`)
  return readdirSync(cases)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      (readJson(join(cases, name)) as readonly (Omit<SchemaCase, 'title' | 'keyword'> & { readonly description: string })[]).map(
        ({ description, schema, tests }) => ({ keyword: name.slice(0, -5), title: description, schema, tests }),
      ),
    )
}

/** The documents that schemas of the suite refer to, by their URL. */
function readRemotes(draft: Draft, folder: string): ReadonlyMap<string, unknown> {
  const remotes = join(folder, 'remotes')
  const files = readdirSync(remotes, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  const isOfDraft = (name: string): boolean => !/^(?:draft|v1)/.test(name) || name.startsWith(draft)
  return new Map(
    files
      .filter(isOfDraft)
      .map((name) => [`http://localhost:1234/${relative(remotes, join(remotes, name))}`, readJson(join(remotes, name))]),
  )
}

/** Whether a value is valid. */
export type Judge = (value: unknown) => boolean

/**
 * Compiles schemas as ajv reads them, formats being annotations as in the suite; undefined for a schema that ajv refuses, or whose own values
 * it judges wrongly.
 */
export function createJudge(
  draft: Draft,
  folder?: string,
): (schema: JsonSchema | boolean, tests: SchemaCase['tests']) => Judge | undefined {
  const options: Options = {
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    unicodeRegExp: true,
  }
  const remotes = folder === undefined ? new Map<string, unknown>() : readRemotes(draft, folder)
  const createAjv = (further: Options = {}): Ajv => new (draft === 'draft7' ? Ajv : Ajv2020)({ ...options, ...further })
  // To compile the schemas of the dialect takes longer than all else: one instance does it for all. A remote document may be a dialect of its own.
  const dialect = createAjv()
  return (schema, tests) => {
    const hasRemotes = JSON.stringify(schema).includes('localhost:1234')
    const ajv = createAjv({ validateSchema: hasRemotes })
    try {
      if (hasRemotes) for (const [url, document] of remotes) ajv.addSchema(document as JsonSchema, url)
      else if (dialect.validateSchema(schema) !== true) return undefined
      const validate = ajv.compile(schema)
      const judge: Judge = (value) => validate(value) === true
      return tests.every(({ data, valid }) => judge(data) === valid) ? judge : undefined
    } catch {
      return undefined
    }
  }
}
