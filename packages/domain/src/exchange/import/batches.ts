import type { SourceRecord } from './source.ts'

/** Records in batches of one kind, none larger than `most`. */
export async function* batches(
  records: AsyncIterable<SourceRecord>,
  most: number,
): AsyncGenerator<readonly SourceRecord[]> {
  let batch: SourceRecord[] = []
  for await (const record of records) {
    if (batch.length === most || (batch[0] !== undefined && batch[0].type !== record.type)) {
      yield batch
      batch = []
    }
    batch.push(record)
  }
  if (batch.length > 0) yield batch
}
