/** Messages about contracts: what an API cannot have, and what to write instead. Import them as `messages`. */

/** @param place of the contract: `posts.create.query` */
export const refused = (place: string, reason: string): string => `fromTsRest(): ${place}: ${reason}`

export const notAContract = (found: string): string =>
  `fromTsRest() takes a contract, as initContract().router() returns it, and got ${found}.`
export const notARoute = (): string => 'expected a route or a router, which is an object.'
export const unrepresentable = (what: string): string => `${what} has no JSON Schema. Write a schema of what JSON has, such as z.string().`
export const expectedSchema = (found: string): string => `expected a schema, such as z.string(), and got ${found}.`
export const expectedPath = (found: string): string => `the path is ${found}. Write a text, such as "/posts/:id".`
export const missingJsonSchema = (vendor: string): string =>
  `the schema of ${vendor} has no JSON Schema. Wrap it: the page docs/cookbook/schemas.md says how.`
export const typeWithoutSchema = (): string =>
  'c.type() says nothing at run time, so no request could be read by it. Write a schema, such as z.object({ page: z.string() }).'
export const optionalCapture = (path: string): string =>
  `the path ${path} has an optional capture. Write two routes, one with it and one without.`
export const foreignMethod = (method: string): string => `the method ${method} is none of GET, POST, PUT, PATCH and DELETE.`
export const missingSuccess = (): string => 'it declares no response of success. Add one with a status from 200 to 399.'
export const mixedHeaders = (): string =>
  'ts-rest could not merge the headers of the route with the base headers. Write both as records: { "x-key": z.string() }.'

// Handlers

export const missingHandler = (place: string): string => `implement(): there is no handler for ${place}. Add a function under this name.`
export const unknownHandler = (place: string): string =>
  `implement(): the contract has no route ${place}. Remove the handler, or correct its name.`
export const expectedFunction = (place: string, found: string): string =>
  `implement(): the handler of ${place} is ${found}, and not a function. Middleware of Express stays outside: give it to the option "middleware".`
export const invalidResult = (place: string): string =>
  `The handler of ${place} did not return { status, body }. Return both, such as { status: 200, body: post }.`
export const undeclaredSuccess = (place: string, status: number): string =>
  `The handler of ${place} returned the status ${status}, which the contract does not declare. Add it to the responses.`
export const invalidBody = (place: string, status: number, reason: string): string =>
  `The handler of ${place} returned a body that the contract does not allow for ${status}: ${reason}.`
export const unknownValidationHandler = (found: string): string =>
  `implement(): the option requestValidationErrorHandler is ${found}. Give it 'default', 'combined' or a function.`
export const streamOfJson = (place: string, status: number): string =>
  `The handler of ${place} returned a stream or a Blob as JSON for ${status}. Declare its media type: c.otherResponse({ contentType, body }).`
