import type { features } from '@specboard/contract'
import { sql } from 'kysely'
import { noLimit } from '../../kernel/page.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { type CardFact, readTaskValidations, type TaskValidationFact } from './facts.ts'
import { isReported, isSubmitted, reported } from './imported.ts'
import { boundsOf, type Range, rangeOf } from './periods.ts'
import type { Measurement } from './with-refs.ts'

/** Selects a page of a board's done cards, oldest first: those in a range, after a card. */
export interface DonePage {
  readonly board: string
  readonly range: Range
  readonly after?: Pick<CardFact, 'created_at' | 'id'> | undefined
  readonly limit: number
}

interface Parameters {
  readonly board: string
  readonly from: string
  readonly to: string
  readonly after: string
  readonly after_id: string
  readonly limit: number
}

type DoneCard = Pick<CardFact, 'id' | 'title' | 'card_type' | 'created_at'>
type ReportedCard = DoneCard & Pick<CardFact, 'completeness' | 'drift'>

const pageReader = <Row>(columns: ReturnType<typeof sql>, condition: ReturnType<typeof sql>) => {
  const query = hot<Parameters, Row>(
    (_, param) =>
      sql<Row>`select c.id, c.title, c.card_type, c.created_at ${columns} from cards c
        where c.board_id = ${param('board')} and c.archived = 0 and c.status = 'done' and ${condition}
          and c.created_at >= ${param('from')} and c.created_at <= ${param('to')}
          and (c.created_at, c.id) > (${param('after')}, ${param('after_id')})
        order by c.created_at, c.id limit ${param('limit')}`,
  )
  return (db: Db, { board, range, after, limit }: DonePage) =>
    query(db, { board, ...boundsOf(range), after: after?.created_at ?? '', after_id: after?.id ?? '', limit })
}

/** The done cards that have a conclusion written here, with the figures of the last one. */
export const readReported = pageReader<ReportedCard>(
  sql`, ${reported('c', 'completeness')} as completeness, ${reported('c', 'drift')} as drift`,
  sql`${isReported('c')}`,
)

/** The done cards that have a validation made here. */
export const readJudged = pageReader<DoneCard>(
  sql``,
  sql`exists (select 1 from task_validations v where v.card_id = c.id and ${sameBoard('v', 'c')} and ${isSubmitted('v')})`,
)

const named = ({ id, title, card_type }: DoneCard) => ({ card_id: id, title, card_type })

/** What executors reported on done cards (B.6). */
export const conclusionReported = (cards: readonly ReportedCard[]) =>
  cards.map(card => ({ ...named(card), completeness: card.completeness, drift: card.drift }))

/**
 * What reviewers found for cards that have a validation: from the latest success, otherwise the latest validation
 * (B.6).
 */
export const validationReported = (
  cards: readonly DoneCard[],
  validations: ReadonlyMap<string, readonly TaskValidationFact[]>,
) =>
  cards.flatMap(card => {
    const records = validations.get(card.id) ?? []
    const record = records.findLast(({ outcome }) => outcome === 'success') ?? records.at(-1)
    if (record === undefined) return []
    const { confidence, completeness, drift, outcome } = record
    return [{ ...named(card), confidence, completeness, drift, outcome: outcome as 'success' | 'failed' }]
  })

/** get_quality_analytics (B.6). */
export const qualityAnalytics: Measurement<(typeof features.analytics)['get_quality_analytics']> = async (
  { query },
  ctx,
) => {
  const range = rangeOf(query)
  const done = { board: ctx.boardId, range, limit: noLimit }
  const validations = await readTaskValidations(ctx.db, 'board_id', { ids: [ctx.boardId], board: null, range })
  return {
    conclusion_reported: conclusionReported(await readReported(ctx.db, done)),
    validation_reported: validationReported(await readJudged(ctx.db, done), validations),
  }
}
