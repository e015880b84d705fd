import { byName } from '../messages/format.ts'

/** The distinct labels of records, in natural order. */
export const knownLabels = (records: readonly { readonly labels: readonly string[] }[]): string[] =>
  [...new Set(records.flatMap(({ labels }) => labels))].toSorted(byName)
