/** The one interface through which the service reads and writes what it keeps, whichever database is behind it. */

import type { PageQuery } from 'lapidary/pagination'

/** A value now, or a promise of it: a database in the same process answers at once, one across a network later. */
export type Awaitable<Value> = Value | Promise<Value>

/** All the rows of a table, a few hundred at a time; stopping early (`break`, `return()`) leaves nothing open. */
export type Batches<Row> = AsyncGenerator<readonly Row[], void, undefined>

export interface User {
  readonly name: string
  readonly age: number
  readonly email: string
  /** A calendar date, `YYYY-MM-DD`. */
  readonly registration_date: string
}

export interface Product {
  readonly productId: number
  readonly name?: string | undefined
}

export interface Person {
  readonly firstName: string
  readonly lastName: string
}

export interface Color {
  readonly name: string
  /** Red, green and blue, each 0 to 255. */
  readonly rgb: readonly [number, number, number]
  /** `#rrggbb`, lower case. */
  readonly hex: string
}

export interface Secret {
  readonly secret: string
}

export interface Account {
  readonly name: string
  /** The password's hash in PHC form, its salt and costs included. */
  readonly hash: string
}

/**
 * Looks at a row before it is changed, and throws where it is not to be. The row that it lets through is the one that is changed, whoever else
 * writes at the same moment.
 */
export type Check<Row> = (row: Row) => void

/** Users, whose identifiers are assigned by the database and never used again. */
export interface Users {
  /** How many there are; costs the same however many. */
  readonly count: () => Awaitable<number>
  /** Every user, ascending by `sortby` and then by identifier; by identifier alone without it. */
  readonly all: (sortby?: 'age' | 'name') => Batches<User>
  readonly find: (id: number) => Awaitable<User | undefined>
  /** Adds a user and answers its new identifier. */
  readonly add: (user: User) => Awaitable<number>
  /** False: there is no such user. */
  readonly replace: (id: number, user: User, check?: Check<User>) => Awaitable<boolean>
  /** False: there is no such user. */
  readonly remove: (id: number, check?: Check<User>) => Awaitable<boolean>
}

/** Products, whose identifiers are given by the client. */
export interface Products {
  /** Every product, ascending by identifier. */
  readonly all: () => Batches<Product>
  readonly find: (id: number) => Awaitable<Product | undefined>
  /** False: the identifier is in use, and nothing has changed. */
  readonly add: (product: Product) => Awaitable<boolean>
  /** Replaces the product that has the same `productId`. False: there is none. */
  readonly replace: (product: Product, check?: Check<Product>) => Awaitable<boolean>
  /** False: there is no such product. */
  readonly remove: (id: number, check?: Check<Product>) => Awaitable<boolean>
}

/** Persons, in the order in which they were added. */
export interface Persons {
  readonly all: () => Awaitable<readonly Person[]>
}

/** What colours are ordered by; `rgb` is the sum of the three components. */
export type ColorField = 'name' | 'hex' | 'rgb'

/** Colours, read a page at a time; the name tells any two apart, and orders those whose values are equal. */
export interface Colors {
  /** How many there are; costs the same however many. */
  readonly count: () => Awaitable<number>
  readonly page: (query: PageQuery<ColorField>) => Awaitable<readonly Color[]>
  /** Adds those colours whose name is not taken yet, whole or not at all. Answers how many they were. */
  readonly add: (colors: readonly Color[]) => Awaitable<number>
}

/** Secrets, in the order in which they were added. */
export interface Secrets {
  readonly all: () => Batches<Secret>
  readonly add: (secret: Secret) => Awaitable<void>
}

/** Accounts for Basic authentication. */
export interface Accounts {
  readonly find: (name: string) => Awaitable<Account | undefined>
  /** Adds the account, or gives it another password. */
  readonly put: (name: string, hash: string) => Awaitable<void>
  /** False: there is no such account. */
  readonly remove: (name: string) => Awaitable<boolean>
  /** Every name, ascending. */
  readonly list: () => Awaitable<readonly string[]>
}

/** Everything that is kept. Each method throws `StoreUnavailable` while the database cannot do what was asked. */
export interface Store {
  readonly users: Users
  readonly products: Products
  readonly persons: Persons
  readonly colors: Colors
  readonly secrets: Secrets
  readonly accounts: Accounts
  /** Returns when the database can be read and written; throws `StoreUnavailable` otherwise. */
  readonly ping: () => Awaitable<void>
  /** Ends the connection. A list that is still being read fails. */
  readonly close: () => Awaitable<void>
}
