/** Texts for a parameter: those that its codec accepts, and those that it refuses. */
import * as fc from 'fast-check'
import { type AnyParameter, isParseError, type JsonSchema, type ParameterInput, ParseError } from 'lapidary'
import { canJoinTexts, getParameterExamples, getTypes, isHeaderValue, isValid, parseSchema, toInputParameter } from 'lapidary/internal'
import { listInvalidValues } from './invalidValues.ts'
import { createArbitrary } from './values.ts'

/**
 * Where a parameter is sent. The place restricts its texts: a capture and each segment of a rest are never empty, a header has no line
 * breaks. A cookie is percent-encoded, and can be any text.
 */
export type ParameterPlace = 'capture' | 'rest' | 'query' | 'header' | 'cookie'

/** The texts of one parameter; an empty list leaves the parameter out. */
export type ParameterTexts = readonly string[]

const toGivenTexts = (texts: ParameterTexts): ParameterInput => ({ values: texts, isPresent: texts.length > 0 })

// Clients resolve `.` and `..` as steps of the path.
const isSegment = (text: string): boolean => text !== '' && !/^\.+$/.test(text) && text.isWellFormed()

const isAllowedText: Readonly<Record<ParameterPlace, (text: string) => boolean>> = {
  capture: isSegment,
  rest: (text) => text.split('/').every(isSegment),
  query: (text) => text.isWellFormed(),
  cookie: (text) => text.isWellFormed(),
  header: (text) => text !== '' && isHeaderValue(text) && text.trim() === text && !text.includes(','),
}

const isRefused = new ParseError([{ pointer: '', detail: 'expected a value of the JSON Schema' }])

const readTexts = (parameter: AnyParameter, texts: ParameterTexts): unknown => {
  try {
    const value: unknown = parameter.read(toGivenTexts(texts))
    const inputParameter = toInputParameter(parameter)
    if (isParseError(value) || inputParameter === parameter) return value
    // The schema of an object validates its members later, all at once.
    const input: unknown = inputParameter.read(toGivenTexts(texts))
    return input === undefined || isValid(parseSchema(parameter.jsonSchema), input) ? value : isRefused
  } catch (error) {
    return new ParseError([{ pointer: '', detail: String(error) }])
  }
}

/** Writes a value of the JSON Schema as text. A codec with another spelling has a pattern and examples. */
const toParameterText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const toParameterTexts = (value: unknown): ParameterTexts => (Array.isArray(value) ? value.map(toParameterText) : [toParameterText(value)])

/** Whether texts can be sent at a place, and the codec accepts them. */
export const acceptsTexts = (parameter: AnyParameter, place: ParameterPlace, texts: ParameterTexts): boolean =>
  texts.every(isAllowedText[place]) && canJoinTexts(texts, parameter.delimiter) && !isParseError(readTexts(parameter, texts))

/** Generates texts that the codec accepts, its examples among them; `undefined` if no text was found. */
export function generateParameterTexts(parameter: AnyParameter, place: ParameterPlace): fc.Arbitrary<ParameterTexts> | undefined {
  const isAccepted = (texts: ParameterTexts): boolean => acceptsTexts(parameter, place, texts)
  const shown = getParameterExamples(parameter)
  const examples = (parameter.repeats ? [shown] : shown.map((example): ParameterTexts => [example])).filter(isAccepted)
  const single = createArbitrary(parameter.jsonSchema)?.map(toParameterTexts)
  const joined = single && fc.array(single, { minLength: 2, maxLength: 4 }).map((all): ParameterTexts => [all.flat().join('/')])
  const hasAccepted = (texts: fc.Arbitrary<ParameterTexts>): boolean => fc.sample(texts, { numRuns: 50, seed: 1 }).some(isAccepted)
  // A codec may read a rest of several segments, of one, or both.
  const usable = [single, place === 'rest' ? joined : undefined].flatMap((texts) =>
    texts !== undefined && hasAccepted(texts) ? [texts.filter(isAccepted)] : [],
  )
  const all = [
    ...usable.map((arbitrary) => ({ arbitrary, weight: 3 })),
    ...(examples.length > 0 ? [{ arbitrary: fc.constantFrom(...examples), weight: 2 }] : []),
    ...(parameter.required ? [] : [{ arbitrary: fc.constant<ParameterTexts>([]), weight: 2 }]),
  ]
  return all.length === 0 ? undefined : fc.oneof(...all)
}

/** Texts that are often sent by mistake. */
const oddTexts: readonly string[] = [
  '',
  'x',
  '-',
  '+1',
  '1.5',
  '1e3',
  ' 1',
  '0x1',
  '99999999999999999999',
  '2023-02-29',
  'null',
  'true?',
  '\u00e9',
  '%',
  "'",
  '\ud7ff',
]

/** The value of a text under a JSON Schema. */
const toSchemaValue = (text: string, schema: JsonSchema): unknown => (getTypes(schema).includes('integer') ? Number(text) : text)

/** Lists texts just outside each bound of the parameter. */
function listOutsideTexts(parameter: AnyParameter): readonly ParameterTexts[] {
  const { jsonSchema, repeats } = parameter
  const examples = getParameterExamples(parameter)
  const { items } = jsonSchema
  const value = repeats
    ? examples.map((text) => toSchemaValue(text, typeof items === 'object' ? items : {}))
    : toSchemaValue(examples[0] ?? '', jsonSchema)
  return listInvalidValues(jsonSchema, value)
    .filter(({ fault }) => fault.startsWith('too '))
    .map((invalid) => toParameterTexts(invalid.value))
}

/** Whether a text is an integer that only JavaScript cannot hold: a server in another language may read it where no bound forbids it. */
const isBeyondNumbers = (text: string, { jsonSchema }: AnyParameter): boolean =>
  /^-?\d{16,}$/.test(text) && [jsonSchema.maximum, jsonSchema.exclusiveMaximum].every((bound) => bound === undefined)

/** Lists texts that the codec refuses; an empty list if it accepts every text. */
export function listInvalidTexts(parameter: AnyParameter, place: ParameterPlace): readonly ParameterTexts[] {
  const [example] = getParameterExamples(parameter)
  const isInPath = place === 'capture' || place === 'rest'
  // Of two cookies with one name, the first counts.
  const twice: readonly ParameterTexts[] = example === undefined || isInPath || place === 'cookie' ? [] : [[example, example]]
  const missing: readonly ParameterTexts[] = parameter.required && !isInPath ? [[]] : []
  const outside = listOutsideTexts(parameter).filter((texts) => texts.length > 0)
  const odd = oddTexts.filter((text) => !isBeyondNumbers(text, parameter))
  return [...odd.map((text): ParameterTexts => [text]), ...outside, ...twice, ...missing].filter(
    (texts) => texts.every(isAllowedText[place]) && canJoinTexts(texts, parameter.delimiter) && isParseError(readTexts(parameter, texts)),
  )
}
