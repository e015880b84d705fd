import type { Context } from '../../kernel/context.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { SessionMemory } from '../../schema/contents.ts'
import type { ClientSessionsTable } from '../../schema/tables.ts'

/** Maximum number of entries of each kind that a session remembers; the newest are kept. */
const maxKept = 300

/** What is added to a memory. */
export interface MemoryEntry {
  readonly told?: readonly string[]
  readonly edits?: Readonly<Record<string, string>>
  readonly cards?: readonly string[]
}

const joined = (former: readonly string[] | undefined, added: readonly string[] | undefined): string[] =>
  [...new Set([...(former ?? []), ...(added ?? [])])].slice(-maxKept)

/** A memory with additions. */
export const withMore = (memory: SessionMemory, { told, edits, cards }: MemoryEntry): SessionMemory => ({
  told: joined(memory.told, told),
  cards: joined(memory.cards, cards),
  edits: Object.fromEntries(
    Object.entries({ ...memory.edits, ...edits })
      .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
      .slice(-maxKept),
  ),
})

/**
 * Remembers the messages to a session, so that each is sent once.
 * @param session the session as it was when they were chosen
 * @returns false if it has received others since, so that nothing is remembered
 */
export async function keepMemory(
  { db }: Pick<Context, 'db'>,
  { id, memory }: Pick<ClientSessionsTable, 'id' | 'memory'>,
  more: MemoryEntry,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('client_sessions')
    .set({ memory: toJson(withMore(parseJson(memory), more)) })
    .where('id', '=', id)
    .where('memory', '=', memory)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
