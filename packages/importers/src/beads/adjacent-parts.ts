/** The files next to the issues in a backup of beads (imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import type { Entry } from '../neutral.ts'
import { type AdjacentParts, textIn } from './issue.ts'
import { linesIn } from './lines.ts'

/** The parts of issues, by the names of their files. */
const parts = ['labels', 'dependencies', 'comments'] as const

/** The contents of the files next to the issues, by issue id. */
export function* adjacentPartsOf(
  file: Entry,
  entries: readonly Entry[],
  collected: Collection,
): InPieces<Map<string, AdjacentParts>> {
  const found = new Map<string, AdjacentParts>()
  if (file.name === null) return found
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1)
  for (const part of parts) {
    const entry = entries.find(({ name }) => name === `${folder}${part}.jsonl`)
    if (entry === undefined) continue
    for (const { value, place } of yield* linesIn(entry, collected)) {
      const id = textIn(value.issue_id)
      if (id === null) {
        collected.notRead({ place }, 'The line has no issue_id.')
        continue
      }
      const beside = found.get(id) ?? { labels: [], dependencies: [], comments: [] }
      found.set(id, beside)
      if (part === 'labels') beside.labels.push(value.label)
      else if (part === 'dependencies') beside.dependencies.push(value)
      else beside.comments.push({ value, place })
    }
  }
  return found
}
