/** Changes of the bodies of requests. */
import { bytes, content, file, form, json, multipart, ndjson, optional, text } from 'lapidary'
import { z } from 'zod'
import { one, type Row, row } from './row.ts'

const taking = (old: unknown, now: unknown): readonly [Row['old'], Row['old']] => [
  one('POST /a', old === undefined ? {} : { body: old as never }),
  one('POST /a', now === undefined ? {} : { body: now as never }),
]
const name = z.string()
const Named = z.object({ name })

interface Tree {
  readonly name: string
  readonly below: readonly Tree[]
}
const treeOf = (leaf: z.ZodType<string>): z.ZodType<Tree> => {
  const tree: z.ZodType<Tree> = z.object({
    name: leaf,
    get below() {
      return z.array(tree)
    },
  }) as z.ZodType<Tree>
  return tree
}

const circle = z.object({ kind: z.literal('circle'), radius: z.int() })
const shapeOf = (squareName: z.ZodString) =>
  z.discriminatedUnion('kind', [circle, z.object({ kind: z.literal('square'), name: squareName })])

/** Bodies of requests. */
const limited = (maxBodySize?: number): Row['old'] => one('POST /a', { body: bytes, ...(maxBodySize !== undefined && { maxBodySize }) })

export const bodies: readonly Row[] = [
  row('an endpoint accepts smaller bodies', [limited(1_000), limited(0)], ['breaking', 'safe'], ['maxBodySize', 'changed']),
  row('an endpoint declares how large a body it accepts', [limited(), limited(1_000)], ['unknown', 'unknown'], ['maxBodySize', 'added']),
  row(
    'a form has a part that is needed',
    taking(multipart({ title: text }), multipart({ title: text, note: text })),
    ['breaking', 'unknown'],
    ['body /note', 'added'],
  ),
  row(
    'a number in a form becomes a text, as which it was sent before',
    taking(content(z.object({ age: z.int() }), form), content(z.object({ age: z.string() }), form)),
    ['unknown', 'breaking'],
    ['body /age', 'changed'],
  ),
  row(
    'a text in a form becomes a list, and one field is a list of one',
    taking(content(z.object({ tag: z.string() }), form), content(z.object({ tag: z.array(z.string()) }), form)),
    ['unknown', 'breaking'],
    ['body /tag', 'changed'],
  ),
  row(
    'a form accepts smaller files',
    taking(multipart({ photo: file({ maxSize: 10 }) }), multipart({ photo: file({ maxSize: 5 }) })),
    ['unknown', 'safe'],
    ['body /photo', 'changed'],
  ),
  row('a body becomes a stream of values', taking(json, ndjson(name)), ['breaking', 'breaking'], ['body', 'changed']),
  row('a body is no longer read', taking(Named, undefined), ['unknown', 'breaking'], ['body', 'removed']),
  row('a body can be left out', taking(Named, optional(Named)), ['safe', 'breaking'], ['body required', 'changed']),
  row('a body is new, and can be left out', taking(undefined, optional(Named)), ['safe', 'unknown'], ['body', 'added']),
  row('a body is new', taking(undefined, Named), ['breaking', 'unknown'], ['body', 'added']),
  row(
    'a body has a member that may be left out',
    taking(Named, Named.extend({ age: z.int().optional() })),
    ['safe', 'unknown'],
    ['body /age', 'added'],
  ),
  row('a body has a member that is needed', taking(Named, Named.extend({ age: z.int() })), ['breaking', 'unknown'], ['body /age', 'added']),
  row('a body has lost a member', taking(Named.extend({ age: z.int() }), Named), ['unknown', 'breaking'], ['body /age', 'removed']),
  row(
    'a member of a body may be left out that was needed',
    taking(Named, Named.partial()),
    ['safe', 'breaking'],
    ['body /name', 'changed'],
  ),
  row(
    'a member of a body is needed that could be left out',
    taking(Named.partial(), Named),
    ['breaking', 'safe'],
    ['body /name', 'changed'],
  ),
  row(
    'a choice in a body has lost a name',
    taking(z.object({ size: z.enum(['s', 'm', 'l']) }), z.object({ size: z.enum(['s', 'm']) })),
    ['breaking', 'safe'],
    ['body /size', 'changed'],
  ),
  row(
    'a choice in a body has a name more',
    taking(z.object({ size: z.enum(['s', 'm']) }), z.object({ size: z.enum(['s', 'm', 'l']) })),
    ['safe', 'breaking'],
    ['body /size', 'changed'],
  ),
  row(
    'a number in a body may be larger',
    taking(z.object({ age: z.int().max(99) }), z.object({ age: z.int().max(150) })),
    ['safe', 'breaking'],
    ['body /age', 'changed'],
  ),
  row(
    'a number in a body may not be as large',
    taking(z.object({ age: z.int().max(150) }), z.object({ age: z.int().max(99) })),
    ['breaking', 'safe'],
    ['body /age', 'changed'],
  ),
  row(
    'a whole number in a body may be any',
    taking(z.object({ age: z.int() }), z.object({ age: z.number() })),
    ['safe', 'breaking'],
    ['body /age', 'changed'],
  ),
  row('a text in a body may not be empty', taking(Named, z.object({ name: name.min(1) })), ['breaking', 'safe'], ['body /name', 'changed']),
  row('a text in a body is a date', taking(Named, z.object({ name: z.iso.date() })), ['breaking', 'safe'], ['body /name', 'changed']),
  row(
    'a member of a body may be null',
    taking(Named, z.object({ name: name.nullable() })),
    ['safe', 'breaking'],
    ['body /name', 'changed'],
  ),
  row(
    'a member of a body may be a text or a number',
    taking(Named, z.object({ name: z.union([name, z.number()]) })),
    ['safe', 'breaking'],
    ['body /name', 'changed'],
  ),
  row('a list in a body may be longer', taking(z.array(name).max(2), z.array(name).max(5)), ['safe', 'breaking'], ['body', 'changed']),
  row(
    'a list in a body is of integers that was of texts',
    taking(z.array(name), z.array(z.int())),
    ['breaking', 'breaking'],
    ['body /*', 'changed'],
  ),
  row(
    'a body is strict that dropped what it did not know',
    taking(Named, z.strictObject({ name })),
    ['unknown', 'safe'],
    ['body further members', 'changed'],
  ),
  row(
    'a body is strict that kept what it did not know',
    taking(z.looseObject({ name }), z.strictObject({ name })),
    ['breaking', 'safe'],
    ['body further members', 'changed'],
  ),
  row(
    'a record of integers is one of numbers',
    taking(z.record(name, z.int()), z.record(name, z.number())),
    ['safe', 'breaking'],
    ['body', 'changed'],
  ),
  row(
    'a body that contains itself has closer bounds within',
    taking(treeOf(name), treeOf(name.max(3))),
    ['breaking', 'safe'],
    ['body /name', 'changed'],
  ),
  row(
    'a pattern in a body is another',
    taking(z.object({ name: name.regex(/^a+$/) }), z.object({ name: name.regex(/^(a)+$/) })),
    ['unknown', 'unknown'],
    ['body /name', 'changed'],
  ),
  row(
    'a part of a union that others know by its kind has closer bounds',
    taking(shapeOf(z.string()), shapeOf(z.string().max(2))),
    ['breaking', 'safe'],
    ['body (kind "square")/name', 'changed'],
  ),
  row(
    'a part of a union is gone',
    taking(shapeOf(z.string()), z.discriminatedUnion('kind', [circle])),
    ['breaking', 'safe'],
    ['body', 'changed'],
  ),
  row('any JSON was taken, and an object is now', taking(json, Named), ['breaking', 'safe'], ['body', 'changed']),
  row('a form is taken as well', taking(Named, content(Named, json, form)), ['safe', 'breaking'], ['body types', 'changed']),
  row('a form is no longer taken', taking(content(Named, json, form), Named), ['breaking', 'safe'], ['body types', 'changed']),
  row('plain text is taken in place of bytes', taking(bytes, text), ['breaking', 'breaking'], ['body types', 'changed']),
]
