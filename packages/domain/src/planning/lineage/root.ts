import { sql } from 'kysely'
import { blocked, notFound } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/one-of.ts'
import type { Db } from '../../schema/database.ts'

/** The types that a graph can be requested for; the last three are aliases of `card`. */
const selectable = ['ideation', 'refinement', 'spec', 'sprint', 'card', 'board', 'task', 'test', 'bug'] as const

/** The kinds of record on a path. */
type Kind = 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card' | 'board'

/** The record whose tree the graph contains. */
export interface Root {
  readonly type: 'ideation' | 'spec' | 'board'
  readonly id: string
}

/** A record on the path from the selected one to its root. */
export interface Step {
  readonly type: string
  readonly id: string
  readonly node_id: string
}

const cardNode = { normal: 'task', test: 'test', bug: 'bug' } as const

/** The kind of a card's node. */
export const cardKind = (cardType: string): 'task' | 'test' | 'bug' => cardNode[cardType as keyof typeof cardNode]

/** A record and the records above it; absent or null if there is none. */
interface Chain {
  readonly card?: string
  readonly card_type?: string
  readonly sprint?: string
  readonly spec?: string | null
  readonly refinement?: string | null
  readonly ideation?: string | null
}

/** A spec's ideation is its own, otherwise its refinement's; a refinement of another ideation does not count. */
const aboveSpec = `s.id as spec, coalesce(s.ideation_id, r.ideation_id) as ideation,
  case when s.ideation_id is null or s.ideation_id = r.ideation_id then r.id end as refinement`
const refinementOf = 'left join refinements r on r.id = s.refinement_id'

/** The chain of a record `x` of each kind. */
const chains: Readonly<Record<Exclude<Kind, 'board'>, string>> = {
  ideation: 'x.id as ideation from ideations x',
  refinement: 'x.id as refinement, x.ideation_id as ideation from refinements x',
  spec: `${aboveSpec} from specs x join specs s on s.id = x.id ${refinementOf}`,
  sprint: `x.id as sprint, ${aboveSpec} from sprints x join specs s on s.id = x.spec_id ${refinementOf}`,
  card: `x.id as card, x.card_type, ${aboveSpec} from cards x left join specs s on s.id = x.spec_id ${refinementOf}`,
}

/** The path of a selected record to its root (planning 3.1). */
export interface Resolution {
  readonly root: Root
  /** From the selected record to the root, including both. */
  readonly path: readonly Step[]
}

/**
 * Finds the root of a record of a board.
 * @throws DomainError VALIDATION_ERROR for another kind, NOT_FOUND, LINEAGE_ROOT_UNRESOLVED for a card without spec
 */
export async function resolveRoot(db: Db, boardId: string, entityType: string, id: string): Promise<Resolution> {
  const entity = oneOf('entity_type', selectable, entityType.toLowerCase())
  const kind: Kind = entity === 'task' || entity === 'test' || entity === 'bug' ? 'card' : entity
  if (kind === 'board') {
    if (id !== boardId) throw notFound('board', id)
    return { root: { type: 'board', id }, path: [step('board', id)] }
  }
  const query = sql<Chain>`select ${sql.raw(chains[kind])} where x.id = ${id} and x.board_id = ${boardId}`
  const { rows } = await query.execute(db)
  const [chain] = rows
  if (chain === undefined) throw notFound(kind, id)
  const path = pathOf(chain)
  const { type, id: rootId } = path.at(-1)!
  if (type === 'ideation' || type === 'spec') return { root: { type, id: rootId }, path }
  throw blocked('LINEAGE_ROOT_UNRESOLVED', 'The card has no spec, so it has no lineage. Link it to a spec first.')
}

const step = (type: string, id: string, node = type): Step => ({ type, id, node_id: `${node}:${id}` })

/** The records of a chain, from the bottom up. */
const pathOf = ({ card, card_type = '', sprint, spec, refinement, ideation }: Chain): Step[] => [
  ...(card === undefined ? [] : [step(card_type, card, cardKind(card_type))]),
  ...(sprint === undefined ? [] : [step('sprint', sprint)]),
  ...(spec == null ? [] : [step('spec', spec)]),
  ...(refinement == null ? [] : [step('refinement', refinement)]),
  ...(ideation == null ? [] : [step('ideation', ideation)]),
]
