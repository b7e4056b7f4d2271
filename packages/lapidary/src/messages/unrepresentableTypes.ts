/** Types that JSON does not have, by the word of zod for it: what is missing, and what to write instead. */
export const unrepresentableTypes: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  Date: ['Date', 'Describe its text, such as z.iso.datetime(), or z.codec(z.iso.datetime(), z.date(), …).'],
  Map: ['Map', 'Write an object, such as z.record(z.string(), z.number()).'],
  Set: ['Set', 'Write a list, such as z.array(z.string()).'],
  BigInt: ['bigint', 'Write z.int() for a number within ±2^53, or its text, such as z.string().regex(/^-?\\d+$/).'],
  'BigInt literals': ['bigint', 'Write a number, such as z.literal(1), or a text.'],
  Symbols: ['symbol', 'Leave it out, or write a text, such as z.enum(["open", "closed"]).'],
  'Function types': ['function', 'Leave it out.'],
  'Custom types': [
    'form for z.custom() and z.instanceof()',
    'Write a schema of the value on the wire, such as z.string().refine(isRight).',
  ],
  Undefined: ['undefined', 'Leave it out, or let it be absent, such as z.string().optional().'],
  'Literal `undefined`': ['undefined', 'Leave it out, or let it be absent, such as z.literal("a").optional().'],
  Void: ['undefined', 'Leave it out, or let it be absent, such as z.string().optional().'],
  NaN: ['NaN', 'Write z.number() or z.null().'],
}
