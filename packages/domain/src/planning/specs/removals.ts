/** Removal of items by a write: those in use are guarded (crew 1.4). */
import { sql } from 'kysely'
import { blocked } from '../../kernel/errors.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SprintsTable } from '../../schema/tables.ts'
import type { CardLink } from './card-links.ts'
import { idsOf, itemLists } from './item-ids.ts'
import type { SpecRecord } from './store.ts'

/** A use that keeps an item from being removed silently. */
type Use = 'cards' | 'result' | 'item' | 'sprint'

/** An item that would be removed, and what uses it. */
export interface ItemInUse {
  readonly list: string
  /** Null for a text. */
  readonly id: string | null
  readonly title: string
  readonly uses: readonly Use[]
}

/** An item that a write removes. */
export interface Removal {
  readonly list: (typeof itemLists)[number]
  readonly id: string
  readonly item: Readonly<Record<string, unknown>>
}

type Lists = Pick<SpecRecord, (typeof itemLists)[number]>

/** The stored items that the write leaves out. */
export const removalsOf = (before: Lists, after: Lists): Removal[] =>
  itemLists.flatMap(list => {
    const remaining = new Set(idsOf(after[list]))
    const stored = (before[list] ?? []) as readonly (string | Removal['item'])[]
    return stored.flatMap(item => {
      if (typeof item === 'string' || remaining.has(String(item.id))) return []
      return [{ list, id: String(item.id), item }]
    })
  })

type SprintScope = Pick<SprintsTable, 'test_scenario_ids' | 'business_rule_ids'>

const scopesOf = hot<{ spec: string }, SprintScope>((db, param) =>
  db
    .selectFrom('sprints')
    .select(['test_scenario_ids', 'business_rule_ids'])
    .where('spec_id', '=', param('spec'))
    .where(sql<boolean>`coalesce(test_scenario_ids, business_rule_ids) is not null`),
)

/** The sprint's list that refers to items of a list of its spec. */
const scopeColumn = { test_scenarios: 'test_scenario_ids', business_rules: 'business_rule_ids' } as const

const columnFor = (list: string) =>
  Object.hasOwn(scopeColumn, list) ? scopeColumn[list as keyof typeof scopeColumn] : undefined

/**
 * The removed items that something uses.
 * @param after the wanted lists, still with references to removed items
 * @param cards the cards of the spec
 */
export async function itemsInUse(
  db: Db,
  specId: string,
  removals: readonly Removal[],
  after: Lists,
  cards: readonly CardLink[],
): Promise<ItemInUse[]> {
  if (removals.length === 0) return []
  const live = new Set(cards.filter(card => !card.archived).map(card => card.id))
  const scopes = removals.some(({ list }) => columnFor(list) !== undefined) ? await scopesOf(db, { spec: specId }) : []
  return removals.flatMap(removal => {
    const { list, id, item } = removal
    const column = columnFor(list)
    const uses: Use[] = [
      ...(linksOf(item).some(card => live.has(card)) ? (['cards'] as const) : []),
      ...(list === 'test_scenarios' && hasResult(item) ? (['result'] as const) : []),
      ...(isNamed(removal, after) ? (['item'] as const) : []),
      ...(column !== undefined && scopes.some(scope => parseNullable(scope[column])?.includes(id))
        ? (['sprint'] as const)
        : []),
    ]
    return uses.length === 0 ? [] : [{ list, id, title: titleOf(item), uses }]
  })
}

const linksOf = ({ linked_task_ids }: Removal['item']): readonly string[] =>
  (linked_task_ids as readonly string[] | null | undefined) ?? []

const hasResult = ({ status, evidence, latest_evidence }: Removal['item']): boolean =>
  status !== 'draft' || evidence !== null || latest_evidence !== null

/** Whether an item that stays refers to a removed one. */
const isNamed = ({ list, id }: Removal, { api_contracts, decisions }: Lists): boolean =>
  (list === 'business_rules' && (api_contracts ?? []).some(({ linked_rules }) => linked_rules?.includes(id))) ||
  (list === 'decisions' && (decisions ?? []).some(({ supersedes_decision_id }) => supersedes_decision_id === id))

const titleOf = ({ title, text, method, path }: Removal['item']): string =>
  String(title ?? text ?? `${String(method)} ${String(path)}`)

/** The lists that refer to removed items, without those references. */
export function withoutNames(removals: readonly Removal[], lists: Lists): Partial<Lists> {
  const removedIds = (list: string) => new Set(removals.filter(removal => removal.list === list).map(({ id }) => id))
  const [rules, decisions] = [removedIds('business_rules'), removedIds('decisions')]
  const names = (item: { readonly linked_rules: readonly string[] | null }) =>
    item.linked_rules?.some(id => rules.has(id)) ?? false
  const supersedes = (item: { readonly supersedes_decision_id: string | null }) =>
    item.supersedes_decision_id !== null && decisions.has(item.supersedes_decision_id)
  return {
    ...(lists.api_contracts?.some(names) && {
      api_contracts: lists.api_contracts.map(contract =>
        names(contract) ? { ...contract, linked_rules: contract.linked_rules!.filter(id => !rules.has(id)) } : contract,
      ),
    }),
    ...(lists.decisions?.some(supersedes) && {
      decisions: lists.decisions.map(decision =>
        supersedes(decision) ? { ...decision, supersedes_decision_id: null } : decision,
      ),
    }),
  }
}

/**
 * Refuses to remove items in use, unless the call explicitly allows it.
 * @throws DomainError ITEMS_IN_USE
 */
export function refuseInUse(items: readonly ItemInUse[], allowed: boolean | undefined): void {
  if (items.length === 0 || allowed === true) return
  const texts = items.map(
    ({ list, id, uses }) => `${id === null ? `a text of ${list}` : `${list} ${id}`} (${uses.join(', ')})`,
  )
  throw blocked(
    'ITEMS_IN_USE',
    `These are in use and would be removed: ${texts.slice(0, maxNamed).join('; ')}. Keep them, or send allow_removal: true.`,
    { items },
  )
}

/** The number of items in the message; the members of the refusal list all of them. */
const maxNamed = 10
