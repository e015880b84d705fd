import type { features } from '@specboard/contract'
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { refuseArchivedCard } from '../../../kernel/archived.ts'
import type { Context } from '../../../kernel/context.ts'
import { blocked, invalid, notFound } from '../../../kernel/errors.ts'
import type { Implementation } from '../../../kernel/implement.ts'
import { type Page, type Paging, paged, window } from '../../../kernel/page.ts'
import { refsOn } from '../../../kernel/references.ts'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf, type WithReference } from '../../../schema/refs.ts'
import { insertRow } from '../../../schema/rows.ts'
import { type OnBoard, onBoard, sameBoard } from '../../../schema/same-board.ts'
import type { CardsTable } from '../../../schema/tables.ts'
import type { CardRecord, CardType, Status } from '../../card-record/record.ts'
import { findCard, readCard } from '../../card-record/store.ts'
import { recordOnCard } from '../../card-record/write.ts'
import { cycleClosedBy, type DependencyLink } from './cycle.ts'

type Cards = typeof features.cards
type ReferenceRow = Pick<CardsTable, 'id' | 'title' | 'status' | 'card_type'> & WithReference

const ends = { awaited: ['card_id', 'depends_on_id'], waiting: ['depends_on_id', 'card_id'] } as const

/** The cards at the other end of a card's links: those that it waits for, or those that wait for it. */
function linkedCards(which: keyof typeof ends) {
  const [own, other] = ends[which]
  const rows = hot<OnBoard & { limit: number; offset: number }, ReferenceRow>((db, param) =>
    db
      .selectFrom('card_dependencies')
      .innerJoin('cards', 'cards.id', `card_dependencies.${other}`)
      .where(sameBoard('cards', 'card_dependencies'))
      .select(['cards.id', refOf('cards').as('ref'), 'cards.title', 'cards.status', 'cards.card_type'])
      .where(`card_dependencies.${own}`, '=', param('id'))
      .where(onBoard('card_dependencies', param('board_id')))
      .orderBy('card_dependencies.created_at')
      .orderBy('card_dependencies.id')
      .limit(param('limit'))
      .offset(param('offset')),
  )
  const count = hot<OnBoard, { count: number }>((db, param) =>
    db
      .selectFrom('card_dependencies')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(own, '=', param('id'))
      .where(onBoard('card_dependencies', param('board_id'))),
  )
  return async (db: Db, { id, board_id }: OnBoard, paging: Paging): Promise<Page<ReturnType<typeof referenceOf>>> =>
    paged(
      await rows(db, { id, board_id, ...window(paging) }),
      paging,
      async () => (await count(db, { id, board_id }))[0]!.count,
      referenceOf,
    )
}

const referenceOf = (row: ReferenceRow) => ({
  ...row,
  status: row.status as Status,
  card_type: row.card_type as CardType,
})

const listAwaited = linkedCards('awaited')
const listWaiting = linkedCards('waiting')

export const listCardDependencies: Implementation<Cards['list_card_dependencies']> = ({ query }, ctx) =>
  listAwaited(ctx.db, ctx.target, query)

export const listCardDependents: Implementation<Cards['list_card_dependents']> = ({ query }, ctx) =>
  listWaiting(ctx.db, ctx.target, query)

interface BoardLink {
  readonly card_id: string
  readonly card_ref: string
  readonly depends_on_id: string
  readonly depends_on_ref: string
}

/** The links of a board between cards that are not archived. */
const linksOn = (param: Param<{ board: string }>): RawBuilder<unknown> => sql`from card_dependencies d
  join cards waiting on waiting.id = d.card_id and ${sameBoard('waiting', 'd')} and waiting.archived = 0
  join cards awaited on awaited.id = d.depends_on_id and ${sameBoard('awaited', 'd')} and awaited.archived = 0
  where d.board_id = ${param('board')}`

const boardLinks = hot<{ board: string; limit: number; offset: number }, BoardLink>(
  (_, param) => sql<BoardLink>`select d.card_id, ${refOf('waiting')} as card_ref,
      d.depends_on_id, ${refOf('awaited')} as depends_on_ref
    ${linksOn(param)}
    order by d.created_at, d.id limit ${param('limit')} offset ${param('offset')}`,
)

const boardLinkCount = hot<{ board: string }, { count: number }>(
  (_, param) => sql<{ count: number }>`select count(*) as count ${linksOn(param)}`,
)

/** Which cards of a board wait for which, in the order in which the links were added (cards 6). */
export const listBoardDependencies: Implementation<Cards['list_board_dependencies']> = async ({ query }, ctx) => {
  const board = ctx.boardId
  return paged(
    await boardLinks(ctx.db, { board, ...window(query) }),
    query,
    async () => (await boardLinkCount(ctx.db, { board }))[0]!.count,
    link => link,
  )
}

const reachedFrom = hot<{ start: string }, DependencyLink>(
  (_, param) =>
    sql<DependencyLink>`with recursive reached (id) as (
        select ${dialect.text(param('start'))} union select d.depends_on_id from card_dependencies d join reached r on d.card_id = r.id
      )
      select d.card_id, d.depends_on_id from card_dependencies d
        where ${dialect.inFew(sql.ref('d.card_id'), sql`select id from reached`)}
      order by d.created_at, d.id`,
)

const linkBetween = hot<DependencyLink & { board: string }, { id: string }>((db, param) =>
  db
    .selectFrom('card_dependencies')
    .select('id')
    .where('card_id', '=', param('card_id'))
    .where(onBoard('card_dependencies', param('board')))
    .where('depends_on_id', '=', param('depends_on_id')),
)

const deleteLink = hot<{ id: string }, never>((db, param) =>
  db.deleteFrom('card_dependencies').where('id', '=', param('id')),
)

export const addCardDependency: Implementation<Cards['add_card_dependency']> = async ({ params }, ctx) =>
  addLink(ctx, await readCard(ctx.db, params.card_id), await readCard(ctx.db, params.depends_on_id))

/**
 * Makes a new card wait for another one of its board.
 * @throws DomainError VALIDATION_ERROR when the board has no such card, else as add_card_dependency
 */
export async function addDependency(ctx: Context, cardId: string, otherId: string): Promise<void> {
  const card = await readCard(ctx.db, cardId)
  const awaited = await findCard(ctx.db, otherId)
  if (awaited === undefined || awaited.board_id !== card.board_id)
    throw invalid('depends_on', `This board has no card ${otherId}.`)
  await addLink(ctx, card, awaited)
}

/** Checks and inserts in one unit of work, so that two agents cannot close a cycle together (cards 6). */
async function addLink(ctx: Context, card: CardRecord, awaited: CardRecord) {
  if (card.board_id !== awaited.board_id)
    throw invalid('depends_on_id', 'A card can only wait for cards of its own board; this one is on another board.')
  refuseArchivedCard(card)
  refuseArchivedCard(awaited)
  const link = { card_id: card.id, depends_on_id: awaited.id }
  const path = cycleClosedBy(link, await reachedFrom(ctx.db, { start: awaited.id }))
  if (path !== null) {
    const refs = await refsOn(ctx.db, card.board_id, path)
    const cycle = path.map(id => refs.get(id) ?? id).join(' → ')
    throw blocked('DEPENDENCY_CYCLE', `The cards would wait for each other: ${cycle}.`, { path })
  }
  if ((await linkBetween(ctx.db, { ...link, board: card.board_id })).length > 0)
    throw blocked('DEPENDENCY_EXISTS', 'The card already waits for that one.')
  const row = { id: ctx.newId(), ...link, created_at: ctx.now() }
  await insertRow(ctx.db, 'card_dependencies', { ...row, board_id: card.board_id })
  await recordOnCard(ctx, card, 'dependency_added', { depends_on_id: awaited.id, title: awaited.title })
  return row
}

/**
 * The link that a path names.
 * @throws DomainError NOT_FOUND
 */
export async function readCardDependency(
  { db, boardId: board }: Context,
  ends: DependencyLink,
): Promise<{ id: string }> {
  const [link] = await linkBetween(db, { ...ends, board })
  if (link === undefined) throw notFound('dependency', ends.depends_on_id)
  return link
}

export const removeCardDependency: Implementation<Cards['remove_card_dependency']> = async ({ params }, ctx) => {
  const link = await readCardDependency(ctx, params)
  const card = await readCard(ctx.db, params.card_id)
  refuseArchivedCard(card)
  const awaited = await readCard(ctx.db, params.depends_on_id)
  await deleteLink(ctx.db, link)
  await recordOnCard(ctx, card, 'dependency_removed', { depends_on_id: awaited.id, title: awaited.title })
}
