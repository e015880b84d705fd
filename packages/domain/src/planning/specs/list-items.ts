/** list_spec_items (crew 1.7): the items of a spec one by one. */
import { type features, type InputOf, listedItems } from '@specboard/contract'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { shownProofOfSpec } from '../proof/proofs.ts'
import { linkableLists } from './items.ts'
import { placesIn } from './references.ts'
import { readSpec, type SpecRecord } from './store.ts'

type ListSpecItems = typeof features.specs.list_spec_items
type Query = InputOf<ListSpecItems>['query']
type List = (typeof listedItems)[number]

interface Row {
  readonly list: List
  readonly id: string | null
  readonly [member: string]: unknown
}

/** The rows of a list: an item as it is stored, a text with its index. */
const rowsOf = (spec: SpecRecord, list: List): Row[] =>
  ((spec[list] ?? []) as readonly (string | Readonly<Record<string, unknown>>)[]).map((item, at) =>
    typeof item === 'string' ? { list, id: null, at, text: item } : { list, ...item, id: String(item.id) },
  )

/** Whether a value contains a word anywhere, ignoring case. */
function holds(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(inner => holds(inner, word))
}

const isLinkable = ({ list, id }: Row): boolean => id !== null && (linkableLists as readonly string[]).includes(list)

const linksOf = ({ linked_task_ids }: Row): readonly unknown[] =>
  Array.isArray(linked_task_ids) ? linked_task_ids : []

/**
 * Whether a row is a scenario that refers to a criterion; both the criterion and the reference may be an index or a
 * text.
 */
function naming({ acceptance_criteria }: SpecRecord, criterion: string): (row: Row) => boolean {
  const placesOf = placesIn(acceptance_criteria)
  const places = new Set(placesOf(criterion))
  return ({ list, linked_criteria }) =>
    list === 'test_scenarios' &&
    Array.isArray(linked_criteria) &&
    linked_criteria.some(reference => placesOf(String(reference)).some(place => places.has(place)))
}

/** Whether a row was requested. */
function filterOf(spec: SpecRecord, { id, status, linked, criterion, q }: Query): (row: Row) => boolean {
  const words =
    q
      ?.toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '') ?? []
  const names = criterion === undefined ? () => true : naming(spec, criterion)
  return row =>
    (id === undefined || (row.id !== null && id.includes(row.id))) &&
    (status === undefined || row.status === status) &&
    (linked === undefined ||
      (linked === 'none' ? isLinkable(row) && linksOf(row).length === 0 : linksOf(row).includes(linked))) &&
    names(row) &&
    words.every(word => holds(row, word))
}

export const listSpecItems: Implementation<ListSpecItems> = async ({ params, query }, ctx) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  const matches = filterOf(spec, query)
  const lists = listedItems.filter(list => query.list?.includes(list) ?? true)
  const rows = lists.flatMap(list => rowsOf(spec, list)).filter(matches)
  const page = pageOf(rows, query)
  if (page.items.every(({ list }) => list !== 'test_scenarios')) return page
  const { scenarios } = await shownProofOfSpec(ctx.db, spec)
  return {
    ...page,
    items: page.items.map(row =>
      row.list === 'test_scenarios' ? { ...row, proof: scenarios.get(String(row.id)) ?? null } : row,
    ),
  }
}
