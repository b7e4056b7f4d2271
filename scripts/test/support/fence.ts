/** The fenced blocks of a Markdown document. */

/** One block, without its fences. */
export interface Fence {
  /** The first word behind the opening fence: `ts`, `console`. */
  readonly language: string
  /** What stands behind it. */
  readonly info: string
  /** With the line feed at its end; empty where the block is. */
  readonly text: string
  /** The number of its first line in the document, from 1. */
  readonly line: number
}

const block = /^(?<fence>`{3,})(?<language>\S*)(?<info>.*)\n(?<text>(?:.*\n)*?)\k<fence>$/gm

/** Every fenced block, in order. */
export const parseFences = (markdown: string): readonly Fence[] =>
  [...markdown.matchAll(block)].map(({ index, groups = {} }) => ({
    language: groups['language'] ?? '',
    info: (groups['info'] ?? '').trim(),
    text: groups['text'] ?? '',
    line: markdown.slice(0, index).split('\n').length + 1,
  }))
