/** The form of an OpenAPI 3.1.1 document (https://spec.openapis.org/oas/v3.1.1), as far as it is written here; its parts have the names that they have there. */
export {}
