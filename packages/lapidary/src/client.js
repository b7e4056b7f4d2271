export { client } from './client/client.js';
export { isDeclaredError } from './client/declaredError.js';
export { ConnectionError, StreamInterruptedError, UnexpectedResponseError } from './client/errors.js';
export { credentials } from './client/request.js';
export { revalidate } from './client/revalidate.js';
