/** The types of the values of parameters: what a handler reads, and what a caller writes. */
import type { Schema } from '../../json-schema/standardSchema.ts'
import type { Parameter } from './parameter.ts'

/** The value that a schema makes, and the one on the wire. */
export type SchemaOutput<S extends Schema> = NonNullable<S['~standard']['types']>['output']
export type SchemaInput<S extends Schema> = NonNullable<S['~standard']['types']>['input']

/** The value of one parameter. */
export type ReadValue<P> = P extends Parameter<infer Value, infer _Written> ? Value : P extends Schema ? SchemaOutput<P> : never
export type WrittenValue<P> = P extends Parameter<infer _Value, infer Written> ? Written : P extends Schema ? SchemaInput<P> : never

/** What a handler gets of a record of codecs and schemas, or of one schema. */
export type ReadValues<Part> = Part extends Schema ? SchemaOutput<Part> : { readonly [Name in keyof Part]: ReadValue<Part[Name]> }
/** What a caller writes for it. What can be undefined can be left out. */
export type WrittenValues<Part> = Part extends Schema
  ? SchemaInput<Part>
  : WithOptional<{ readonly [Name in keyof Part]: WrittenValue<Part[Name]> }>

/** The members of an intersection, as one object. */
// Conditional, so that editors and messages show the members rather than this name.
export type Simplify<T> = T extends unknown ? { readonly [Name in keyof T]: T[Name] } : never

/** The same members; those that can be undefined can be left out. */
export type WithOptional<T> = Simplify<
  { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
    readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: T[Name]
  }
>
