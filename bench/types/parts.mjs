/** A program in parts, five endpoints each: the same five for each framework, with their handlers and a call of each. */

/** How many endpoints a part has. */
export const perPart = 5

/** What is written for each part, one below the other. @param {number} parts @param {(part: number) => string} write */
export const each = (parts, write) => Array.from({ length: parts }, (_, part) => write(part)).join('')

/** The schemas in zod, for each framework that takes it. */
export const schemas = `import { z } from 'zod'
const Point = z.object({ x: z.int(), y: z.int() })
const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registered: z.iso.date() })
const Info = z.object({ name: z.string(), interests: z.array(z.string()), nick: z.string().default('x') })
const Greeting = z.object({ msg: z.string() })
`

/** The codecs of paths and queries in zod, for frameworks without their own. */
export const texts = `const int = z.string().regex(/^-?\\d+$/).transform(Number).pipe(z.int())
const At = z.object({ x: int, y: int })
const Sorting = z.object({ sortby: z.enum(['age', 'name']).optional() })
const Id = z.object({ id: int })
const Name = z.object({ name: z.string() })
`

export const ann = `const ann = { name: 'Ann', age: 1, email: 'ann@example.org', registered: '2024-01-01' }
`
