/** The texts that stand for a parameter: those that its codec reads, and those that it refuses. */
import * as fc from 'fast-check'
import { ParseError } from 'lapidary'
import { isHeaderValue } from 'lapidary/internal'
import { createArbitrary } from './values.js'

const toGivenTexts = (texts) => ({ values: texts, isPresent: texts.length > 0 })
const isAllowedText = {
  // One of dots alone is a step in a path, for every client there is.
  capture: (text) => text !== '' && !/^\.+$/.test(text) && text.isWellFormed(),
  query: (text) => text.isWellFormed(),
  header: (text) => text !== '' && isHeaderValue(text) && text.trim() === text && !text.includes(','),
}
const readTexts = (parameter, texts) => {
  try {
    return parameter.read(toGivenTexts(texts))
  } catch (error) {
    return new ParseError([{ pointer: '', detail: String(error) }])
  }
}
/** What a value of its JSON Schema is as text. Codecs with spellings of their own have patterns and examples. */
const toParameterText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const toParameterTexts = (value) => (Array.isArray(value) ? value.map(toParameterText) : [toParameterText(value)])
/** Texts that the codec reads, its examples among them; none where it may be left out. */
export function generateParameterTexts(parameter, place) {
  const isSound = (texts) => texts.every(isAllowedText[place]) && !(readTexts(parameter, texts) instanceof ParseError)
  const examples = (parameter.repeats ? [parameter.examples] : parameter.examples.map((one) => [one])).filter(isSound)
  const values = createArbitrary(parameter.jsonSchema)?.map(toParameterTexts)
  const isMade = values !== undefined && fc.sample(values, { numRuns: 50, seed: 1 }).some(isSound)
  const all = [
    ...(isMade ? [{ arbitrary: values.filter(isSound), weight: 3 }] : []),
    ...(examples.length > 0 ? [{ arbitrary: fc.constantFrom(...examples), weight: 2 }] : []),
    ...(parameter.required ? [] : [{ arbitrary: fc.constant([]), weight: 2 }]),
  ]
  return all.length === 0 ? undefined : fc.oneof(...all)
}
/** What people and machines send by mistake. */
const oddTexts = [
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
/** Texts that the codec refuses, with why; none where it takes everything. */
export function listInvalidTexts(parameter, place) {
  const [example] = parameter.examples
  const twice = example === undefined || place === 'capture' ? [] : [[example, example]]
  const missing = parameter.required && place !== 'capture' ? [[]] : []
  return [...oddTexts.map((text) => [text]), ...twice, ...missing].filter(
    (texts) => texts.every(isAllowedText[place]) && readTexts(parameter, texts) instanceof ParseError,
  )
}
