import type { WrittenEntry } from '@specboard/domain'
import { guidelinesUri, type RecordKind, recordUri } from '../resources/uris.ts'

const kinds: Readonly<Record<string, RecordKind>> = {
  board: 'board',
  ideation: 'ideation',
  refinement: 'refinement',
  spec: 'spec',
  sprint: 'sprint',
  card: 'card',
}

/** Members of an event's details that reference records: both ends of a link, parents, sprints. */
const members: Readonly<Record<string, RecordKind>> = {
  ideation_id: 'ideation',
  refinement_id: 'refinement',
  spec_id: 'spec',
  sprint_id: 'sprint',
  card_id: 'card',
  depends_on_id: 'card',
  bug_card_id: 'card',
  test_task_id: 'card',
  card_ids: 'card',
}

/** The resources that an event touched: its record, its board, and the records that it references (mcp 14.1). */
export function touchedUris({ boardId, entity, cardId, activity }: WrittenEntry): string[] {
  const uris = [recordUri('board', boardId)]
  const kind = kinds[entity.type]
  if (kind !== undefined) uris.push(recordUri(kind, entity.id))
  if (cardId != null) uris.push(recordUri('card', cardId))
  if (entity.type.includes('guideline') || activity?.action.includes('guideline')) uris.push(guidelinesUri(boardId))
  for (const [member, named] of Object.entries(members)) {
    const value = activity?.details?.[member]
    for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'string') uris.push(recordUri(named, id))
  }
  return uris
}
