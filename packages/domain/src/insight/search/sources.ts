/** Which stored rows are searchable, and how each kind of row is read. */
import { dialect, type Json, perDialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { CardsTable, SearchedKind, SearchSource } from '../../schema/tables.ts'

/** A record as it is indexed, with its searchable texts. */
export interface SearchedRecord {
  readonly kind: SearchedKind
  readonly id: string
  /** Null for a global guideline. */
  readonly boardId: string | null
  readonly title: string
  readonly status: string | null
  readonly archived: boolean
  readonly labels: readonly string[]
  readonly assigneeId: string | null
  readonly parent: { readonly type: SearchSource; readonly id: string } | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Everything but the title, the most significant first. */
  readonly text: string
}

/** Maximum number of searchable characters of a record, so that one record does not hold up others (trust 1). */
const maxTextLength = 100_000

/** For a text that stands in for a title: how many characters are read, and shown. */
const maxHeadlineLength = 200
const shownHeadline = 80

/** The beginning of a text in one line, for records without a title. */
function headlineOf(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  if (characters.length <= shownHeadline) return characters.join('')
  return `${characters
    .slice(0, shownHeadline - 1)
    .join('')
    .trimEnd()}…`
}

const isUntitled = (source: SearchSource): boolean => source === 'comment' || source === 'question'

/** A row with the texts in it, each plain or JSON. */
interface Row {
  id: string
  board_id: string | null
  title: string
  status: string | null
  archived: number
  labels: Json<string[]> | null
  assignee_id: string | null
  parent_type: SearchSource | null
  parent_id: string | null
  created_at: string
  updated_at: string
  /** A JSON array of the texts, in order. */
  texts: Json<unknown[]>
  /** The knowledge contained in a card. */
  knowledge: Json<CardEntry[]> | null
  /** The conclusions of a card. */
  conclusions: CardsTable['conclusions'] | null
}

interface CardEntry {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly content: string
  readonly created_at: string
  readonly updated_at: string
}

/** How the rows of a kind are selected: its columns in a query over `r`; what a kind lacks is null. */
interface Selection {
  readonly table: string
  readonly texts: readonly string[]
  /** Columns with JSON, whose texts are included at any depth. */
  readonly lists?: readonly string[]
  readonly columns?: Partial<Readonly<Record<keyof Row, string>>>
  /** The condition for searchable rows; by default all. */
  readonly where?: string
}

const stateful = { status: 'r.status', archived: 'r.archived', labels: 'r.labels' }
const assigned = { ...stateful, assignee_id: 'r.assignee_id' }
const belonging = {
  parent_type: 'r.owner_type',
  parent_id: 'r.owner_id',
}

/** Whether the record that a part belongs to is archived: the part is left out with it. */
const archivedWith = (type: string, id: string) => `coalesce(case ${type}
  when 'ideation' then (select o.archived from ideations o where o.id = ${id} and o.board_id = r.board_id)
  when 'refinement' then (select o.archived from refinements o where o.id = ${id} and o.board_id = r.board_id)
  when 'spec' then (select o.archived from specs o where o.id = ${id} and o.board_id = r.board_id)
  when 'card' then (select o.archived from cards o where o.id = ${id} and o.board_id = r.board_id) end, 0)`

/** A column of the first record that a change is linked to. */
const firstRecord = (column: 'entity_type' | 'entity_id') =>
  `(select l.${column} from change_links l where l.change_id = r.id and l.is_undone = 0
    order by l.linked_at, l.entity_id limit 1)`

const selections: Readonly<Record<SearchSource, Selection>> = {
  ideation: {
    table: 'ideations',
    texts: ['description', 'problem_statement', 'proposed_approach'],
    columns: assigned,
  },
  refinement: {
    table: 'refinements',
    texts: ['description', 'analysis'],
    lists: ['in_scope', 'out_of_scope', 'decisions'],
    columns: { ...assigned, parent_type: `'ideation'`, parent_id: 'r.ideation_id' },
  },
  spec: {
    table: 'specs',
    texts: ['description', 'context'],
    lists: [
      'functional_requirements',
      'technical_requirements',
      'acceptance_criteria',
      'business_rules',
      'test_scenarios',
      'api_contracts',
      'decisions',
    ],
    columns: {
      ...assigned,
      parent_type: `case when r.refinement_id is not null then 'refinement' when r.ideation_id is not null then 'ideation' end`,
      parent_id: 'coalesce(r.refinement_id, r.ideation_id)',
    },
  },
  sprint: {
    table: 'sprints',
    texts: ['description', 'objective', 'expected_outcome'],
    columns: { ...stateful, parent_type: `'spec'`, parent_id: 'r.spec_id' },
  },
  card: {
    table: 'cards',
    texts: ['description', 'details', 'expected_behavior', 'observed_behavior', 'steps_to_reproduce', 'action_plan'],
    columns: {
      ...assigned,
      parent_type: `case when r.spec_id is not null then 'spec' end`,
      parent_id: 'r.spec_id',
      knowledge: `case when r.knowledge_bases <> '[]' then r.knowledge_bases end`,
      conclusions: `case when r.conclusions <> '[]' then r.conclusions end`,
    },
  },
  architecture: {
    table: 'architecture_designs',
    texts: ['global_description'],
    lists: ['entities', 'interfaces'],
    columns: {
      parent_type: 'r.parent_type',
      parent_id: 'r.parent_id',
      archived: archivedWith('r.parent_type', 'r.parent_id'),
    },
  },
  knowledge: {
    table: 'knowledge',
    texts: ['description', 'content'],
    columns: { ...belonging, archived: archivedWith('r.owner_type', 'r.owner_id') },
  },
  guideline: {
    table: 'guidelines',
    texts: ['content'],
    lists: ['tags'],
    columns: { board_id: `case when r.scope = 'inline' then r.board_id end` },
  },
  comment: {
    table: 'comments',
    texts: ['content'],
    lists: ['choices', 'responses'],
    columns: {
      title: `substr(r.content, 1, ${maxHeadlineLength})`,
      parent_type: `'card'`,
      parent_id: 'r.card_id',
      archived: archivedWith(`'card'`, 'r.card_id'),
    },
  },
  question: {
    table: 'questions',
    texts: ['question', 'answer'],
    lists: ['choices'],
    columns: {
      ...belonging,
      title: `substr(r.question, 1, ${maxHeadlineLength})`,
      archived: archivedWith('r.owner_type', 'r.owner_id'),
      updated_at: 'coalesce(r.answered_at, r.created_at)',
    },
  },
  change: {
    table: 'changes',
    texts: ['key'],
    columns: {
      status: 'r.state',
      parent_type: firstRecord('entity_type'),
      parent_id: firstRecord('entity_id'),
      archived: archivedWith(firstRecord('entity_type'), firstRecord('entity_id')),
    },
    where: 'r.is_linked = 1',
  },
}

const columnsOf = ({ texts: names, lists = [], columns = {} }: Selection): RawBuilder<unknown> => {
  const plain: Readonly<Record<string, string>> = {
    id: 'r.id',
    board_id: 'r.board_id',
    title: 'r.title',
    status: 'null',
    archived: '0',
    labels: 'null',
    assignee_id: 'null',
    parent_type: 'null',
    parent_id: 'null',
    created_at: 'r.created_at',
    updated_at: 'r.updated_at',
    knowledge: 'null',
    conclusions: 'null',
    ...columns,
  }
  const all = [...names.map(name => `substr(r.${name}, 1, ${maxTextLength})`), ...lists.map(name => `r.${name}`)]
  const named = Object.entries(plain).map(([name, column]) => `${column} as ${name}`)
  const texts = sql.raw(all.join(', '))
  return sql`${sql.raw(named.join(', '))}, ${perDialect(sql`json_array(${texts})`, sql`json_build_array(${texts})`)} as texts`
}

const readers = Object.fromEntries(
  Object.entries(selections).map(([source, selection]) => [
    source,
    hot<{ ids: string }, Row>(
      (_, param) => sql<Row>`select ${columnsOf(selection)} from ${sql.table(selection.table)} r
        where ${dialect.inList(sql.ref('r.id'), sql<string>`${param('ids')}`)}
          and ${sql.raw(selection.where ?? 'true')}`,
    ),
  ]),
) as Readonly<Record<SearchSource, ReturnType<typeof hot<{ ids: string }, Row>>>>

/** Members whose texts are useless in a search: ids, links and words of enumerations. */
const silent = /^(?:id|status|method|scenario_type|evidence|latest_evidence|selected|linked_\w+|\w+_ids?|\w+_at)$/

/** The texts in a value of JSON, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (silent.test(name) ? [] : textsIn(inner)))
}

/** The texts of a row joined into one; those in lists come last. */
function textOf(row: Row, { texts }: Selection): string {
  const stored = JSON.parse(row.texts) as (string | null)[]
  const lists = stored.slice(texts.length).flatMap(list => (list === null ? [] : textsIn(JSON.parse(list))))
  const all = [...stored.slice(0, texts.length), ...lists, ...(parseNullable(row.labels) ?? [])]
  return all
    .filter(text => text !== null && text !== '')
    .join('\n')
    .slice(0, maxTextLength)
}

const searchedOf = (source: SearchSource, row: Row): SearchedRecord => ({
  kind: source,
  id: row.id,
  boardId: row.board_id,
  title: isUntitled(source) ? headlineOf(row.title) : row.title,
  status: row.status,
  archived: row.archived === 1,
  labels: parseNullable(row.labels) ?? [],
  assigneeId: row.assignee_id,
  parent: row.parent_type === null || row.parent_id === null ? null : { type: row.parent_type, id: row.parent_id },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  text: textOf(row, selections[source]),
})

/** The knowledge contained in a card. */
const entriesOf = (card: SearchedRecord, row: Row): SearchedRecord[] =>
  (parseNullable(row.knowledge) ?? []).map(({ id, title, description, content, created_at, updated_at }) => ({
    kind: 'knowledge',
    id,
    boardId: card.boardId,
    title,
    status: null,
    archived: card.archived,
    labels: [],
    assigneeId: null,
    parent: { type: 'card', id: card.id },
    createdAt: created_at,
    updatedAt: updated_at,
    text: `${description ?? ''}\n${content}`.slice(0, maxTextLength),
  }))

/** The conclusions of a card: found under the card and their position among its conclusions. */
const conclusionsOf = (card: SearchedRecord, row: Row): SearchedRecord[] =>
  (parseNullable(row.conclusions) ?? []).map(
    ({ text, completeness_justification, drift_justification, created_at }, index) => ({
      kind: 'conclusion',
      id: `${card.id}:${index + 1}`,
      boardId: card.boardId,
      title: headlineOf(text),
      status: null,
      archived: card.archived,
      labels: [],
      assigneeId: null,
      parent: { type: 'card', id: card.id },
      createdAt: created_at,
      updatedAt: created_at,
      text: [text, completeness_justification, drift_justification].join('\n').slice(0, maxTextLength),
    }),
  )

/** The records in the rows of a kind with these ids, by id; for a card also its own knowledge and conclusions. */
export async function readSearched(
  db: Db,
  source: SearchSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SearchedRecord[]>> {
  const rows = await readers[source](db, { ids: JSON.stringify(ids) })
  return new Map(
    rows.map(row => {
      const record = searchedOf(source, row)
      return [row.id, [record, ...entriesOf(record, row), ...conclusionsOf(record, row)]]
    }),
  )
}
