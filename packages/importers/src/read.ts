import type { InPieces } from '@specboard/contract'
import { arranged } from './arranged.ts'
import { chosen } from './chosen.ts'
import { Collection } from './collected.ts'
import { boardNameOf } from './files.ts'
import type { ImportFormat, ReadOptions, Source, SourceContent } from './neutral.ts'
import { Mapping } from './words/mapping.ts'

/**
 * Reads a source (exchange 2, imports).
 * @param format by default detected from the content
 * @throws Unreadable if the source is not of the format, or cannot be read
 * @throws Ambiguous if its meaning is unclear
 */
export function* read(
  format: ImportFormat | undefined,
  source: Source,
  options: ReadOptions = {},
): InPieces<SourceContent & { readonly format: ImportFormat }> {
  const mapping = new Mapping(options.mapping)
  const sorted = yield* arranged(source)
  const { name, fit } = chosen(format, sorted, options)
  const collected = new Collection(mapping, options.known)
  if (mapping.columns.size > 0 && name !== 'csv')
    collected.note({ place: { entry: null, line: null } }, 'The mapping names columns, which only a CSV has.')
  const ownName = yield* fit.read(collected, options)
  const board = options.name ?? ownName ?? boardNameOf(sorted, fit.at, name)
  return { format: name, ...(yield* collected.finish(board, sorted.entries)) }
}
