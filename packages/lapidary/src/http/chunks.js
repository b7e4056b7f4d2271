/** Values that are given one after the other, and their text. */
import { problemDetail } from '../messages/problemMessages.js'
import { encodeUtf8 } from './utf8.js'
/** Whether a value is to be walked rather than taken as a whole. */
export const isIterable = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && (Symbol.asyncIterator in value || Symbol.iterator in value)
/** Small enough to be on its way soon, large enough that a million rows are not a million writes. In characters. */
const jsonBatchLength = 16_384
/** A JSON array, written while its items are made. What was made before a failure leaves too, where others have left before it. */
export async function* writeJsonArray(items, write) {
  let text = '['
  let separator = ''
  let hasLeft = false
  try {
    for await (const item of items) {
      text += separator + write(item)
      separator = ','
      if (text.length < jsonBatchLength) continue
      hasLeft = true
      yield text
      text = ''
    }
  } catch (error) {
    if (hasLeft && text !== '') yield text
    throw error
  }
  yield `${text}]`
}
/** Newline-delimited JSON: each line leaves as soon as its item is there. */
export async function* writeJsonLines(items, write) {
  for await (const item of items) yield `${write(item)}\n`
}
/** All items, for a medium that cannot begin before it has seen the last. */
export async function collectItems(items) {
  const all = []
  for await (const item of items) all.push(item)
  return all
}
const lineFeedByte = 0x0a
/** The lines in the pieces, without their line feeds. Throws where the pieces end within a line. */
export async function* splitLines(pieces) {
  let begun = []
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(lineFeedByte); end >= 0; end = piece.indexOf(lineFeedByte, start)) {
      yield concatBytes([...begun, piece.subarray(start, end)])
      begun = []
      start = end + 1
    }
    if (start < piece.length) begun.push(piece.subarray(start))
  }
  if (begun.length > 0) throw new Error(problemDetail.lineCutOff())
}
/** Pieces of bytes as one. */
export function concatBytes(pieces) {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return first
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}
// What comes piece by piece, as a whole.
/** The bytes of all the pieces; texts are UTF-8. */
export async function collectBytes(pieces) {
  const all = []
  for await (const piece of pieces) all.push(typeof piece === 'string' ? encodeUtf8(piece) : piece)
  return concatBytes(all)
}
