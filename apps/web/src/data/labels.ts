import { byName } from '../messages/format.ts'

/** The labels of records, each once, as people sort them. */
export const knownLabels = (records: readonly { readonly labels: readonly string[] }[]): string[] =>
  [...new Set(records.flatMap(({ labels }) => labels))].toSorted(byName)
