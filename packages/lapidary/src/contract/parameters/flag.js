/**
 * True when the name stands in the query, with any value or none: `?loud`, and `?loud=false` as well. For a parameter that can be switched off in words,
 * take `bool`, which reads `true` and `false` and nothing else: `optional(bool)`.
 */
export const flag = Object.freeze({
  name: 'flag',
  required: false,
  repeats: false,
  read: ({ isPresent: named }) => named,
  write: (value) => (value === true ? [''] : []),
  // `?loud=false` would be true: what stands for false is nothing.
  jsonSchema: { type: 'boolean', const: true },
  examples: Object.freeze(['']),
})
