/** Decorators, applied by hand: what the TypeScript compiler makes of `@Get('/hello')` and its like, so that no build is needed. */
import 'reflect-metadata'

/**
 * @typedef {object} Method
 * @property {readonly MethodDecorator[]} with
 * @property {readonly [type: unknown, ...decorators: ParameterDecorator[]][]} [parameters]  in their order, each with its type, by which it is validated
 */

/**
 * @template {new (...args: never[]) => object} Class
 * @param {Class} target
 * @param {readonly ClassDecorator[]} decorators
 * @param {Readonly<Record<string, Method>>} [methods]
 */
export function decorated(target, decorators, methods = {}) {
  for (const [name, { with: own, parameters = [] }] of Object.entries(methods)) {
    const types = parameters.map(([type]) => type)
    Reflect.defineMetadata('design:paramtypes', types, target.prototype, name)
    for (const [index, [, ...each]] of parameters.entries()) for (const decorate of each) decorate(target.prototype, name, index)
    const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name)
    for (const decorate of own) decorate(target.prototype, name, descriptor)
  }
  for (const decorate of decorators) decorate(target)
  return target
}

/**
 * A class whose members are checked by class-validator.
 * @param {Readonly<Record<string, readonly PropertyDecorator[]>>} members
 */
export function checked(members) {
  const target = class {}
  for (const [name, decorators] of Object.entries(members)) for (const decorate of decorators) decorate(target.prototype, name)
  return target
}
