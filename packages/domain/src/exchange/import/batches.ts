import type { SourceRecord } from './source.ts'

/** Records in batches of one kind, none larger than `max`. */
export async function* batches(
  records: AsyncIterable<SourceRecord>,
  max: number,
): AsyncGenerator<readonly SourceRecord[]> {
  let batch: SourceRecord[] = []
  for await (const record of records) {
    if (batch.length === max || (batch[0] !== undefined && batch[0].type !== record.type)) {
      yield batch
      batch = []
    }
    batch.push(record)
  }
  if (batch.length > 0) yield batch
}
