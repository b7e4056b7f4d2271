/** `lapidary/light`: a typed client without the schemas of its API, made of the routes that `lapidary routes --client` writes. */
export type { Call, CallInput, CallOptions, CallRoute, Client } from './client/callTypes.ts'
export type { ClientOptions } from './client/client.ts'
export { ConnectionError, StreamInterruptedError, UnexpectedResponseError } from './client/errors.ts'
export type { FetchLike } from './client/redirects.ts'
export { type Credentials, credentials } from './client/request.ts'
export { type ConnectStream, resume } from './client/resume.ts'
export { revalidate } from './client/revalidate.ts'
export { trackUpload, type UploadProgress } from './client/trackUpload.ts'
export { apiKey } from './contract/auth/apiKey.ts'
export { basic } from './contract/auth/basic.ts'
export { bearer } from './contract/auth/bearer.ts'
export type { DeclaredErrorOf } from './contract/reply.ts'
export { isHttpError } from './http/httpError.ts'
export { lightAuth as either, lightIdempotent as idempotent, lightScheme as customScheme } from './light/lightCalls.ts'
export { lightClient as client } from './light/lightClient.ts'
export {
  lightArray as array,
  lightBool as bool,
  lightCookies as cookies,
  lightDateTime as dateTime,
  lightFlag as flag,
  lightMember as member,
  lightNumber as number,
  lightOptional as optional,
  lightPlain as plain,
  lightSetCookie as setCookie,
} from './light/lightCodecs.ts'
export { isDeclaredLightError as isDeclaredError } from './light/lightErrors.ts'
export {
  lightAnyOf as anyOf,
  lightBytes as bytes,
  lightDownload as download,
  lightForm as form,
  lightJson as json,
  lightMultipart as multipart,
  lightNone as none,
  lightOptionalBody as optionalBody,
  lightProblem as problem,
  lightText as text,
  lightTyped as typed,
  lightUnreadable as unreadable,
  lightWithHeaders as withHeaders,
} from './light/lightMedia.ts'
export type { LightRoute as Route, LightRoutes as Routes } from './light/lightRoute.ts'
export {
  lightByteStream as byteStream,
  lightEvents as events,
  lightJsonList as jsonList,
  lightNdjson as ndjson,
} from './light/lightStreams.ts'
