/** Items one by one, of a table that is read a few hundred rows at a time. */

/** Every row of every batch; whoever stops early stops the reading. */
export async function* each<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, void, undefined> {
  for await (const batch of batches) yield* batch
}
