// As whom servers run when they are started by root: PostgreSQL refuses to be root, and nginx would change its user by itself.

/** The user that owns nothing, for `spawn`; nothing where this process is somebody already. */
export const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
