/** Reads a text from its start to its end, one part after the other. */
export class TextScanner {
  protected readonly source: string
  /** Where the next part begins. */
  protected index = 0

  constructor(source: string) {
    this.source = source
  }

  /** Takes a text if it stands at this place. */
  protected take(text: string): boolean {
    const isNext = this.source.startsWith(text, this.index)
    if (isNext) this.index += text.length
    return isNext
  }

  /** Takes what matches at this place; undefined where nothing does. @param pattern a sticky one */
  protected match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.index
    const found = pattern.exec(this.source)
    if (found === null) return undefined
    this.index += found[0].length
    return found
  }
}
