/** Judges verdicts about pairs of schemas by ajv: a safe one by samples, and a breaking one by its witness. */
import { toWrittenSchema } from '../../packages/testing/test/support/written.ts'
import { findWitness, judgePair } from './verdicts.mjs'

/** @typedef {import('./suite.mjs').Schema} Schema */
/** @typedef {import('./ajv.mjs').Judge} Judge */
/** @typedef {import('./counts.mjs').Counts} Counts */
/** @typedef {{ readonly schema: Schema, readonly judge: Judge, readonly judgeWritten: Judge }} JudgedSchema */

const show = (/** @type {readonly unknown[]} */ ...parts) => parts.map((part) => JSON.stringify(part)).join('  ')

/**
 * A schema with its judges. A program writes no member that its schema does not declare: `judgeWritten` reads it so.
 *
 * @param {Schema} schema @param {(schema: Schema) => Judge | undefined} compile @returns {JudgedSchema | undefined} undefined if ajv refuses it
 */
export function createJudgedSchema(schema, compile) {
  const judge = compile(schema)
  const judgeWritten = typeof schema === 'object' ? (compile(toWrittenSchema(schema)) ?? judge) : judge
  return judge === undefined || judgeWritten === undefined ? undefined : { schema, judge, judgeWritten }
}

/** @param {Counts} counts @param {JudgedSchema} writer @param {JudgedSchema} reader @param {() => readonly unknown[]} sample */
function judgeSafe(counts, writer, reader, sample) {
  counts.safe += 1
  const written = sample().filter((value) => writer.judge(value) && writer.judgeWritten(value))
  counts.samples += written.length
  const stray = written.find((value) => !reader.judge(value))
  if (stray !== undefined) counts.faults.push(`safe: ${show(writer.schema, reader.schema)}, but ${show(stray)}`)
}

/** @param {Counts} counts @param {JudgedSchema} writer @param {JudgedSchema} reader @param {() => readonly unknown[]} sample */
function judgeBreaking(counts, writer, reader, sample) {
  const isWitness = (/** @type {unknown} */ value) => writer.judge(value) && !reader.judge(value)
  const found = findWitness(writer.schema, reader.schema)
  if (found.is === 'yes') counts.faults.push(`breaking, and proven to be safe: ${show(writer.schema, reader.schema)}`)
  else if (found.is === 'no' && isWitness(found.instance)) counts.breaking += 1
  else if (found.is === 'no') counts.faults.push(`breaking: ${show(writer.schema, reader.schema)}, but not by ${show(found.instance)}`)
  else if (sample().some(isWitness)) counts.breakingBySample += 1
  else counts.undecided += 1
}

/**
 * Judges both directions between two schemas.
 *
 * @param {Counts} counts @param {JudgedSchema} one @param {JudgedSchema} other @param {boolean} isRequest
 * @param {(writer: Schema, reader: Schema) => readonly unknown[]} sample
 */
export function judgeSchemas(counts, one, other, isRequest, sample) {
  const { milliseconds, forward, backward } = judgePair(one.schema, other.schema, isRequest)
  counts.pairs += 1
  if (milliseconds > counts.slowest.milliseconds) counts.slowest = { milliseconds, pair: show(one.schema, other.schema) }
  const directions = /** @type {const} */ ([
    [one, other, forward],
    [other, one, backward],
  ])
  for (const [writer, reader, verdict] of directions) {
    const draw = () => sample(writer.schema, reader.schema)
    if (verdict === 'safe') judgeSafe(counts, writer, reader, draw)
    else if (verdict === 'breaking') judgeBreaking(counts, writer, reader, draw)
    else counts.unknown += 1
  }
}
