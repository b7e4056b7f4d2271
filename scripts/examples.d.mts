/** The names of the folders in `examples` whose manifest has a script `start`. */
export function listExamples(): readonly string[]
