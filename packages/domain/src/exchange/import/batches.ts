import type { Incoming } from './source.ts'

/** Records in batches of one kind, none larger than `most`. */
export async function* batches(records: AsyncIterable<Incoming>, most: number): AsyncGenerator<readonly Incoming[]> {
  let batch: Incoming[] = []
  for await (const record of records) {
    if (batch.length === most || (batch[0] !== undefined && batch[0].type !== record.type)) {
      yield batch
      batch = []
    }
    batch.push(record)
  }
  if (batch.length > 0) yield batch
}
