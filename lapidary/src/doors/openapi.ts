/** The public door of openapi. */
export {}
