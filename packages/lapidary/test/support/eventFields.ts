/** Splits an event stream of the toolkit's own form into its events: one line a field, an empty line behind each event. */

/** The fields of an event as they are on the wire. */
export interface EventFields {
  readonly event?: string
  readonly data?: string
  readonly id?: string
  readonly retry?: number
}

/** @throws Error for a text that the writer of `events` does not write. */
export function splitEvents(text: string): readonly EventFields[] {
  const blocks = text.split('\n\n')
  if (blocks.pop() !== '') throw new Error(`The last event is not ended: ${JSON.stringify(text)}`)
  return blocks.map((block) =>
    Object.fromEntries(
      block.split('\n').map((line) => {
        const [, name = '', value = ''] = /^(event|data|id|retry): (.*)$/.exec(line) ?? []
        if (name === '') throw new Error(`There is no such field: ${JSON.stringify(line)}`)
        return [name, name === 'retry' ? Number(value) : value]
      }),
    ),
  )
}
