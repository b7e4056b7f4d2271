/** Makes a medium: `mediaType({ types: ['text/csv'], writer: () => (rows: string[]) => rows.join('\n') })`. */
export function mediaType(definition) {
  const media = []
  const made = { ...definition, schema: undefined, media }
  media.push(made)
  Object.freeze(media)
  return Object.freeze(made)
}
