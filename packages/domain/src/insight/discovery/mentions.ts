import { foldedText } from '@specboard/storage'
import { sql } from 'kysely'
import type { Caller } from '../../kernel/context.ts'
import { excerpt } from '../../lib/excerpt.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type Entity, leadingTo, type QuestionResult } from './result.ts'

const maxRows = 50

/** A comment or question of a board that contains an @. */
interface Item {
  readonly id: string
  readonly kind: 'comment' | 'question'
  readonly owner_type: Entity['type']
  readonly owner_id: string
  readonly owner_title: string
  readonly text: string
  readonly answer: string | null
  readonly author: string
  readonly answered_by: string | null
  readonly created_at: string
}

const addressing = hot<{ board: string }, Item>((_, param) => {
  const records = (['card', 'ideation', 'refinement', 'spec'] as const).map(
    type =>
      sql`select ${sql.lit(type)} as type, id, title from ${sql.table(`${type}s`)}
          where board_id = ${param('board')} and archived = 0`,
  )
  return sql<Item>`with owners as (${sql.join(records, sql` union all `)})
      select c.id as id, 'comment' as kind, o.type as owner_type, o.id as owner_id, o.title as owner_title, c.content as text,
          null as answer, c.author_id as author, null as answered_by, c.created_at as created_at
        from comments c join owners o on o.id = c.card_id
        where c.board_id = ${param('board')} and c.content like '%@%'
      union all
      select q.id as id, 'question' as kind, o.type as owner_type, o.id as owner_id, o.title as owner_title, q.question as text,
          q.answer, q.asked_by as author, q.answered_by, q.created_at as created_at
        from questions q join owners o on o.id = q.owner_id
        where q.board_id = ${param('board')} and (q.question like '%@%' or q.answer like '%@%')
      order by created_at desc, id desc`
})

/** Comments and questions of a board that address the caller by `@<id>` or `@<name>`, newest first. */
export async function mentionsOf(
  db: Db,
  boardId: string,
  caller: Pick<Caller, 'id' | 'name'>,
): Promise<QuestionResult> {
  const addresses = [caller.id, caller.name].map(name => `@${foldedText(name)}`)
  const addressed = (text: string | null) =>
    text !== null && addresses.some(address => foldedText(text).includes(address))
  const items = await addressing(db, { board: boardId })
  const found = items.filter(({ text, answer }) => addressed(text) || addressed(answer))
  const rows = found.slice(0, maxRows).map(item => {
    const inAnswer = !addressed(item.text)
    const entity: Entity = { type: item.owner_type, id: item.owner_id, title: item.owner_title }
    return {
      id: item.id,
      type: 'Mention',
      title: item.owner_title,
      summary: excerpt((inAnswer ? item.answer : item.text) ?? '', 200),
      meta: {
        ...leadingTo(entity),
        card_id: entity.type === 'card' ? entity.id : null,
        [item.kind === 'comment' ? 'comment_id' : 'qa_id']: item.id,
        author_id: inAnswer ? item.answered_by : item.author,
        created_at: item.created_at,
      },
    }
  })
  return { rows, total: found.length }
}
