/** Stores who is mentioned, in the unit of work that wrote the text (people 5.6). */
import { dialect } from '@specboard/storage'
import { waysOf } from '../../kernel/access/boards.ts'
import type { Context, WrittenCall } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/events.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { excerptAround, handlesIn, sourceOf, textsOf } from './rules.ts'

/** Maximum number of mentions by one author in an hour that channels report; all of them appear in the inbox. */
const toldInAnHour = 60

const hourMs = 3_600_000

/** The records on which somebody can be mentioned. */
const mentionable: ReadonlySet<string> = new Set(['ideation', 'refinement', 'spec', 'sprint', 'card'])

const byHandles = hot<{ handles: string }, { id: string; handle: string }>((db, param) =>
  db
    .selectFrom('agents')
    .select(['id', 'handle'])
    .where(eb => dialect.inList(eb.ref('handle'), param('handles')))
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .$narrowType<{ handle: string }>(),
)

const ofAuthor = hot<{ author: string; since: string }, { count: number }>((db, param) =>
  db
    .selectFrom('mentions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', param('author'))
    .where('at', '>', param('since')),
)

/** The record that an entry is about: the card, if it is about one of its parts. */
function recordOf({ entity, cardId }: RecordedEvent): { readonly type: string; readonly id: string } | undefined {
  if (mentionable.has(entity.type)) return entity
  return cardId == null ? undefined : { type: 'card', id: cardId }
}

/**
 * The entry about the record whose text a call wrote: the record in the answer, since others may be written first, such
 * as the spec of small changes; the first entry if the answer is a part of a record.
 */
function entryOf(recorded: readonly RecordedEvent[], answer: unknown): RecordedEvent | undefined {
  const entries = recorded.filter(one => one.imported === undefined && recordOf(one) !== undefined)
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined
  return entries.find(one => recordOf(one)!.id === id) ?? entries[0]
}

/** Those who have one of the handles and see the board, except the author, by handle. */
async function mentionedBy(db: Db, handles: readonly string[], boardId: string, authorId: string) {
  const found = await byHandles(db, { handles: JSON.stringify([...new Set(handles)]) })
  const seeing = []
  for (const agent of found) {
    if (agent.id === authorId) continue
    if ((await waysOf(db, agent.id)).some(way => way.boardId === boardId)) seeing.push(agent)
  }
  return new Map(seeing.map(({ id, handle }) => [handle, id]))
}

/** Stores the mentions in a call's texts; people whom the same text mentioned before are not notified again. */
export async function recordMentions(ctx: Context, call: WrittenCall): Promise<void> {
  const texts = textsOf(call.body).map(one => ({ ...one, handles: handlesIn(one.text) }))
  const handles = texts.flatMap(one => one.handles)
  if (handles.length === 0) return
  const entry = entryOf(ctx.recorded, call.answer)
  if (entry === undefined) return
  const record = recordOf(entry)!
  const author = ctx.caller.id
  const agents = await mentionedBy(ctx.db, handles, entry.boardId, author)
  if (agents.size === 0) return
  const since = new Date(Date.parse(ctx.now()) - hourMs).toISOString()
  let count = (await ofAuthor(ctx.db, { author, since }))[0]!.count
  for (const { field, text, handles: named } of texts)
    for (const handle of named) {
      const agent_id = agents.get(handle)
      if (agent_id === undefined) continue
      await ctx.db
        .insertInto('mentions')
        .values({
          id: ctx.newId(),
          agent_id,
          entity_type: record.type,
          entity_id: record.id,
          source: sourceOf(call, field),
          board_id: entry.boardId,
          author_id: author,
          excerpt: excerptAround(text, handle),
          at: ctx.now(),
          is_open: 1,
          told: count < toldInAnHour ? 1 : 0,
        })
        .onConflict(conflict => conflict.columns(['agent_id', 'entity_id', 'source']).doNothing())
        .execute()
      count++
    }
}
