import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseNullable } from '../../../lib/json.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { CommentsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

const unanswered = hot<{ boards: string; agent: string }, WaitingItem>((_, param) => {
  const responses = dialect.jsonElements(sql.ref('m.responses'))
  const responder = dialect.jsonText(sql.ref<string>('response.value'), 'responder_id')
  return sql<WaitingItem>`select ${foundColumns('m', { source: 'm.id', record: 'm.card_id', since: sql`m.created_at` })}
    from comments m join cards c on c.id = m.card_id and ${sameBoard('c', 'm')}
    where ${onBoards('m', param('boards'))} and m.comment_type <> 'text' and c.archived = 0
      and not exists (select 1 from ${responses} response where ${responder} = ${param('agent')})`
})

const byIds = hot<Selection, CommentsTable>((db, param) =>
  db.selectFrom('comments').selectAll().where(isAsked('comments', param)),
)

/** Comments with choices that the caller has not answered (cards 9). */
export const choiceComments: Source = {
  kind: 'choice_comment',
  about: 'card',
  isOpen: access => access.allows('COMMENTS_READ') && mayCall(access, { operation: 'respond_to_comment' }),
  find: (ctx, boards) => unanswered(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id }),
  show: async (ctx, page) => {
    const rows = await byIds(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(row => [
        row.id,
        {
          actor_id: row.author_id,
          data: {
            content: row.content,
            comment_type: row.comment_type,
            choices: parseNullable(row.choices),
            allow_free_text: row.allow_free_text === 1,
          },
          operation: 'respond_to_comment',
          arguments: { comment_id: row.id },
        },
      ]),
    )
  },
}
