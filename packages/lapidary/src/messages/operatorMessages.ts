/** What a process says to the operator who has started it. */

export const portTaken = (port: number, host: string): string =>
  `The port is "${port}": expected a free port on ${host}, and this one is taken.`
export const portInvalid = (): string => 'The port is no integer from 0 to 65535.'
export const socketTaken = (path: string): string => `The socket is "${path}": expected a free path, and this one is taken.`
export const addressUnavailable = (address: string, code: string): string =>
  `The address is "${address}": expected one that this machine lets a server have (${code}).`
export const addressForbidden = (address: string): string =>
  `The address is "${address}": expected one that this user may have (EACCES). A port below 1024 needs a privilege.`
export const closedTooLate = (time: number): string =>
  `The process has not closed within ${time} ms, and ends now. Functions of onClose have to end in time, and streams when their signal fires.`
