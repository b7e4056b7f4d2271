/** Parses PromQL as far as the tests of the dashboard need it. */

/** A metric that an expression names, and the labels by which it is chosen. */
export interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

export interface Expression {
  readonly selectors: readonly Selector[]
  /** The labels that results are grouped by. */
  readonly groups: readonly string[]
}

const token = /\s+|"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?(?:[smhd](?![a-z]))?|[a-zA-Z_:][\w:]*|[=!<>]=|[=!]~|[-+*/=<>(){}[\],]/gy
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const functions = new Set(['sum', 'rate', 'increase', 'histogram_quantile', 'max', 'avg'])
const name = /^[a-zA-Z_:]/

/** Throws where the text has signs that belong nowhere, brackets that do not match, a function that is not known, or operators without operands. */
export function expression(text: string): Expression {
  const tokens = [...text.matchAll(token)].map(([one]) => one)
  if (tokens.join('') !== text) throw new Error(`There is something strange at ${tokens.join('').length} of ${text}`)
  const words = tokens.filter((one) => one.trim() !== '')
  const selectors: { readonly metric: string; readonly labels: string[] }[] = []
  const groups: string[] = []
  const open: string[] = []
  /** Whether a value has to come next. */
  let wants = true
  for (const [index, word] of words.entries()) {
    const [before, next] = [words[index - 1], words[index + 1]]
    const fail = (): never => {
      throw new Error(`"${word}" does not belong where it is in ${text}`)
    }
    const inside = open.at(-1)
    if (word in closing) {
      open.push(word === '(' && before === 'by' ? 'by' : word)
      wants = word === '('
    } else if (/^[)\]}]$/.test(word)) {
      if (inside === undefined || (closing[inside] ?? ')') !== word) fail()
      if (word === ')' && inside === '(' && wants) fail()
      // Behind its groups, what is grouped still has to come.
      wants = open.pop() === 'by'
    } else if (inside === 'by') {
      if (name.test(word)) groups.push(word)
    } else if (inside === '{') {
      if (name.test(word)) selectors.at(-1)?.labels.push(word)
      if (name.test(word) ? !/^(=|!=|=~|!~)$/.test(next ?? '') : word.startsWith('"') ? !/^[,}]$/.test(next ?? '') : false) fail()
    } else if (inside === '[') {
      if (!/^\d+[smhd]$/.test(word)) fail()
    } else if (word === 'by') {
      if (!functions.has(before ?? '') || next !== '(') fail()
    } else if (name.test(word)) {
      if (!wants) fail()
      if (next === '(' || next === 'by') {
        if (!functions.has(word)) fail()
      } else {
        selectors.push({ metric: word, labels: [] })
        wants = false
      }
    } else if (/^\d/.test(word)) {
      if (!wants) fail()
      wants = false
    } else {
      if (wants) fail()
      wants = true
    }
  }
  if (open.length > 0 || wants) throw new Error(`${text} ends too soon.`)
  return { selectors, groups }
}
