/** Messages for the programmer about auth schemes and credentials: what is wrong, then the cure. */

export const expectedAuthScheme = (route: string, got: string): string =>
  `${route}: auth is ${got}, expected an auth scheme. Write basic("people"), bearer("secret") or either(people, secret).`
export const expectedAuthSchemes = (word: string): string => `${word}() takes two auth schemes or more. Write ${word}(people, partners).`
export const optionalAuthInside = (word: string): string =>
  `${word}() contains credentials that are optional. Write optional() once, around all of them, such as optional(either(people, partners)).`
export const wrongInvalidOption = (invalid: unknown): string =>
  `optional() has invalid: ${JSON.stringify(invalid) ?? String(invalid)}, expected "reject" (the default) or "ignore". With "ignore", wrong credentials count as none.`
export const hiddenAlternative = (one: string, hidden: string): string =>
  `either() never reaches "${hidden}": "${one}", which comes first, reads the same credentials. Change their order, or use one scheme whose authenticator tells its users apart.`
export const nestedBoth = (): string => 'both() contains another both(). Write one, such as both(people, partners, keys).'
export const sharedPlace = (schemes: string): string =>
  `both() needs "${schemes}", two of which are sent in the same place. Write either(), or send one of them elsewhere, such as apiKey({ in: "header", name: "X-Key" }).`
export const invalidScope = (scheme: string, scope: unknown): string =>
  `The auth scheme "${scheme}" has the scope ${JSON.stringify(scope)}. Write a text of printable ASCII without spaces, quotes and backslashes, such as "users:read".`
export const invalidFlows = (realm: string, flows: string): string =>
  `oauth2("${realm}") has wrong flows. Write one or more of ${flows}, each with its URLs (authorizationUrl, tokenUrl) and its scopes.`
export const invalidApiKey = (place: unknown, name: unknown): string =>
  `apiKey() has in: ${JSON.stringify(place)} and name: ${JSON.stringify(name)}. Write in: "header", "cookie" or "query", and a name that it can have.`
export const parameterOfCredentials = (route: string, place: string, name: string): string =>
  `${route} declares the ${place} "${name}", which its "auth" uses for credentials. Remove one of the two.`
export const missingScopes = (route: string, scheme: string): string =>
  `${route} requires scopes of the auth scheme "${scheme}", but its authenticator does not say which scopes a user has. Add { scopes: (user) => user.scopes } as the third argument of authenticate().`
export const invalidUserScopes = (scheme: string): string =>
  `The function "scopes" of the auth scheme "${scheme}" did not return a list. Return the scopes of the user, such as ["users:read"].`
export const invalidBasicCredentials = (): string =>
  'The user name of Basic credentials must not contain a colon, and neither it nor the password may contain control characters.'
export const invalidBearerToken = (): string => 'A bearer token may contain only letters, digits and -._~+/, with = at its end.'
export const unsendableChallenge = (scheme: string, challenge: unknown): string =>
  `The auth scheme ${JSON.stringify(scheme)} has the challenge ${JSON.stringify(challenge)}, which cannot be sent. Write a text in Latin-1 without line breaks, such as Basic realm="people".`
export const missingAuthenticator = (route: string, scheme: string): string =>
  `${route} requires the auth scheme "${scheme}", but serve() has no authenticator for it. Add { auth: [authenticate(${scheme}, verify)] } as the third argument.`
export const authSchemeWithoutHeaders = (scheme: string): string =>
  `The auth scheme "${scheme}" cannot write its credentials into a request. Give authScheme() a "headers" or a "query" function.`
