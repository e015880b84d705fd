import { client } from './client.ts'
import { keys } from './keys.ts'
import { isPlanKind, planCalls } from './planning.ts'
import { refusalOf } from './refusal.ts'

export type ImportedName = Awaited<ReturnType<typeof client.listImportedNames>>['items'][number]

/** The query of the imported names in the records of a board that belong to nobody in this service. */
export const importedNamesOf = (boardId: string) => ({
  queryKey: keys.list(boardId, 'names', { part: 'imported' }),
  queryFn: async () => (await client.listImportedNames({ board_id: boardId })).items,
})

const atOnce = 200

async function assignedTo(board_id: string, assignee_id: string) {
  const read = (offset: number) =>
    client.searchRecords({ board_id, assignee_id, include_archived: true, limit: atOnce, offset })
  const items = []
  for (;;) {
    const page = await read(items.length)
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.total) return items
  }
}

/** A record that could not be reassigned, and why. */
export interface RefusedRecord {
  readonly ref: string
  readonly message: string
}

/** Reassigns all records of one name to another, each by its own operation. Returns those that were refused. */
export async function reassign(boardId: string, from: string, to: string): Promise<readonly RefusedRecord[]> {
  const refused: RefusedRecord[] = []
  for (const { id, ref, entity_type: kind } of await assignedTo(boardId, from))
    try {
      if (isPlanKind(kind)) await planCalls[kind].update(id, { assignee_id: to }, {})
      else await client.updateCard({ card_id: id, assignee_id: to })
    } catch (error) {
      refused.push({ ref: ref ?? id, message: refusalOf(error).message })
    }
  return refused
}
