import type { OperationName, Permission } from '@specboard/contract'
import { sql } from 'kysely'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { MentionsTable, NumberedTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

/** A kind of record on which somebody is mentioned. */
interface MentionSource {
  readonly about: 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'
  readonly table: NumberedTable
  readonly read: Permission
  /** The operation that answers a question there. */
  readonly answer?: OperationName
}

const mentioned: readonly MentionSource[] = [
  { about: 'ideation', table: 'ideations', read: 'IDEATIONS_READ', answer: 'answer_ideation_question' },
  { about: 'refinement', table: 'refinements', read: 'REFINEMENTS_READ', answer: 'answer_refinement_question' },
  { about: 'spec', table: 'specs', read: 'SPECS_READ', answer: 'answer_spec_question' },
  { about: 'sprint', table: 'sprints', read: 'SPRINTS_READ' },
  { about: 'card', table: 'cards', read: 'CARDS_READ', answer: 'answer_card_question' },
]

const byIds = hot<Selection, MentionsTable>((db, param) =>
  db.selectFrom('mentions').selectAll().where(isAsked('mentions', param)),
)

/** The call that a mention leads to: the answer to a question, a comment on a card, or else reading the record. */
function callOf({ about, answer }: MentionSource, { entity_id, source }: MentionsTable) {
  const [kind, id] = source.split(' ')
  if (kind === 'question' && id !== undefined && answer !== undefined)
    return {
      operation: answer,
      arguments: about === 'card' ? { qa_id: id } : { [`${about}_id`]: entity_id, qa_id: id },
    }
  const operation: OperationName = about === 'card' ? 'create_comment' : `get_${about}`
  return { operation, arguments: { [`${about}_id`]: entity_id } }
}

function mentionsOn(one: MentionSource): Source {
  const { about, table, read } = one
  // Whoever has written on the record since then has seen it.
  const open = hot<{ boards: string; agent: string }, WaitingItem>(
    (_, param) =>
      sql<WaitingItem>`select ${foundColumns('m', { source: 'm.id', record: 'm.entity_id', since: sql`m.at` })}
        from mentions m join ${sql.table(table)} r on r.id = m.entity_id and ${sameBoard('r', 'm')}
        where m.agent_id = ${param('agent')} and ${onBoards('m', param('boards'))} and m.is_open = 1
          and m.entity_type = ${sql.lit(about)}
          and not exists (select 1 from events e
            where e.entity_id = m.entity_id and ${sameBoard('e', 'm')} and e.actor_id = m.agent_id and e.created_at > m.at)`,
  )
  return {
    kind: 'mention',
    about,
    isOpen: access => access.allows(read) && mayCall(access, { operation: `get_${about}` }),
    find: (ctx, boards) => open(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id }),
    show: async (ctx, page) => {
      const rows = await byIds(ctx.db, sourcesOf(page))
      return new Map(
        rows.map(row => [
          row.id,
          {
            actor_id: row.author_id,
            data: { excerpt: row.excerpt, source: row.source.split(' ')[0] },
            ...callOf(one, row),
          },
        ]),
      )
    },
  }
}

/** Texts that mention the caller (people 5.6). */
export const mentions: readonly Source[] = mentioned.map(mentionsOn)
