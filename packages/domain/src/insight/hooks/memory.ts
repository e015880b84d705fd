import { findSession } from '../../delivery/sessions/store.ts'
import type { Context } from '../../kernel/context.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { SessionMemory } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'

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

/** Remembers the messages to a session, so that each is sent once. */
export async function keepMemory(ctx: Context, name: string, more: MemoryEntry): Promise<void> {
  const session = await findSession(ctx, name)
  if (session === undefined) return
  const memory = toJson(withMore(parseJson(session.memory), more))
  await updateRow(ctx.db, 'client_sessions', session.id, { memory })
}
