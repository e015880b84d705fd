import { type features, type Permission, TextOwner } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { Access } from '../../kernel/access/access.ts'
import type { RecordType } from '../../kernel/access/records.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError, invalid, notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { hot } from '../../schema/hot.ts'
import type { Schema } from '../../schema/tables.ts'
import { firstPlaceOf, partOf } from './parts.ts'

type Type = z.output<typeof TextOwner>
type Row = Readonly<Record<string, unknown>>

/** Where the texts of a kind of record are stored, and the permissions for reading them. */
interface Kind {
  readonly table: keyof Schema
  readonly asks: Permission
  /** The columns with texts, or with JSON that contains texts. */
  readonly columns: readonly string[]
  /** Columns that require a further permission. */
  readonly guarded?: Readonly<Record<string, Permission>>
  /** The type by which access checks find the record; undefined if it is found through its owner's board. */
  readonly record?: RecordType
}

const lists = ['functional_requirements', 'technical_requirements', 'acceptance_criteria', 'test_scenarios'] as const

const kinds: Readonly<Record<Type, Kind>> = {
  ideation: {
    table: 'ideations',
    asks: 'IDEATIONS_READ',
    columns: ['title', 'description', 'problem_statement', 'proposed_approach', 'scope_assessment', 'screen_mockups'],
    record: 'ideation',
  },
  refinement: {
    table: 'refinements',
    asks: 'REFINEMENTS_READ',
    columns: ['title', 'description', 'analysis', 'in_scope', 'out_of_scope', 'decisions', 'screen_mockups'],
    record: 'refinement',
  },
  spec: {
    table: 'specs',
    asks: 'SPECS_READ',
    columns: [
      'title',
      'description',
      'context',
      ...lists,
      'business_rules',
      'api_contracts',
      'decisions',
      'screen_mockups',
    ],
    record: 'spec',
  },
  sprint: {
    table: 'sprints',
    asks: 'SPRINTS_READ',
    columns: ['title', 'description', 'objective', 'expected_outcome'],
    record: 'sprint',
  },
  card: {
    table: 'cards',
    asks: 'CARDS_READ',
    columns: [
      ...['title', 'description', 'details', 'action_plan', 'steps_to_reproduce', 'expected_behavior'],
      ...['observed_behavior', 'regression_test', 'screen_mockups', 'checkpoint', 'conclusions', 'knowledge_bases'],
    ],
    guarded: { conclusions: 'CARDS_READ_CONCLUSIONS', knowledge_bases: 'KNOWLEDGE_READ' },
    record: 'card',
  },
  guideline: { table: 'guidelines', asks: 'GUIDELINES_READ', columns: ['content', 'title'] },
  architecture: {
    table: 'architecture_designs',
    asks: 'ARCHITECTURE_READ',
    columns: ['title', 'global_description', 'entities', 'interfaces', 'diagrams'],
    record: 'architecture_design',
  },
  knowledge: { table: 'knowledge', asks: 'KNOWLEDGE_READ', columns: ['content', 'description', 'title'] },
  comment: { table: 'comments', asks: 'COMMENTS_READ', columns: ['content'], record: 'comment' },
  question: { table: 'questions', asks: 'QA_READ', columns: ['question', 'answer'], record: 'question' },
}

/** The default text, for records that have one main text. */
const mainText: Readonly<Partial<Record<Type, string>>> = {
  guideline: 'content',
  knowledge: 'content',
  comment: 'content',
}

const rowOf = Object.fromEntries(
  Object.entries(kinds).map(([type, { table, columns }]) => [
    type,
    hot<{ id: string }, Row>(
      (_, param) =>
        sql<Row>`select id, board_id, ${sql.join(columns.map(name => sql.ref(name)))} from ${sql.table(table)} where id = ${param('id')}`,
    ),
  ]),
) as Readonly<Record<Type, ReturnType<typeof hot<{ id: string }, Row>>>>

/** Refuses a guideline that the caller may not read. */
export type GuidelineCheck = (ctx: Context, id: string) => Promise<void>

/**
 * read_text: a part of one text of a record (crew 1.7).
 * @param checkGuideline refuses guidelines, which may belong to no board
 */
export const readText =
  (checkGuideline: GuidelineCheck): Implementation<typeof features.board.read_text> =>
  async ({ params, query }, ctx) => {
    const type = oneOf('entity_type', TextOwner.options, params.entity_type)
    const { asks, guarded = {} } = kinds[type]
    const { row, access } = await reached(ctx, type, params.entity_id, checkGuideline)
    access.require([asks])
    const path = pathOf(type, row, query.path)
    const permission = guarded[path[0]!]
    if (permission !== undefined) access.require([permission])
    const text = textAt(columnOf(row, path[0]!), path.slice(1))
    if (text === undefined)
      throw invalid('path', `This ${type} has no text ${path.join('.')}.`, { available: textsOf(type, row) })
    const offset = query.around === undefined ? query.offset : firstPlaceOf(text, query.around)
    if (offset !== null) return partOf(text, offset, query.length)
    throw new DomainError('NOT_FOUND', 'These words do not occur in the text.', {
      entity_type: 'text',
      entity_id: path.join('.'),
    })
  }

interface ReadableRow {
  readonly row: Row
  readonly access: Access
}

/**
 * The row of a record that the caller sees, and the caller's access there.
 * @throws DomainError NOT_FOUND
 */
async function reached(ctx: Context, type: Type, id: string, checkGuideline: GuidelineCheck): Promise<ReadableRow> {
  const { record } = kinds[type]
  const found = record === undefined ? undefined : await ctx.reach(record, id)
  const [row] = await rowOf[type](ctx.db, { id: found?.record.id ?? id })
  if (row === undefined) throw notFound(type, id)
  if (found !== undefined) return { row, access: found.access }
  if (type === 'guideline') {
    await checkGuideline(ctx, id)
    return { row, access: ctx.access }
  }
  const way = (await ctx.ways()).find(({ boardId }) => boardId === row.board_id)
  if (way === undefined) throw notFound(type, id)
  return { row, access: new Access(ctx.caller.base, way) }
}

/** The steps of a path; if none is sent, the one text that the record has. */
function pathOf(type: Type, row: Row, path: string | undefined): readonly string[] {
  const steps = path?.split('.')
  if (steps !== undefined && kinds[type].columns.includes(steps[0]!)) return steps
  const available = textsOf(type, row)
  const others = available.filter(name => name !== 'title')
  const candidates = others.length === 0 ? available : others
  const main = mainText[type] ?? (candidates.length === 1 ? candidates[0] : undefined)
  if (path === undefined && main !== undefined) return [main]
  throw invalid('path', path === undefined ? 'Say which text: send path.' : `A ${type} has no text ${path}.`, {
    available,
  })
}

/** The columns of a record that are not empty. */
const textsOf = (type: Type, row: Row): string[] =>
  kinds[type].columns.filter(name => row[name] !== null && row[name] !== '' && row[name] !== '[]')

/** Columns that contain lists or objects, into which a path continues. */
const nested: ReadonlySet<string> = new Set([
  ...lists,
  ...['scope_assessment', 'screen_mockups', 'in_scope', 'out_of_scope', 'decisions', 'business_rules', 'api_contracts'],
  ...['checkpoint', 'conclusions', 'knowledge_bases', 'entities', 'interfaces', 'diagrams'],
])

/** The value of a column of a row. */
const columnOf = (row: Row, name: string): unknown =>
  nested.has(name) && typeof row[name] === 'string' ? JSON.parse(row[name]) : row[name]

/** The text at a path: members, indexes, or ids of items; undefined if there is none. */
function textAt(value: unknown, steps: readonly string[]): string | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return typeof value === 'string' ? value : undefined
  if (Array.isArray(value)) {
    const byId = value.find(item => typeof item === 'object' && item !== null && item.id === step)
    const item = byId ?? (/^[0-9]{1,6}$/.test(step) ? value[Number(step)] : undefined)
    return textAt(item, rest)
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return textAt((value as Row)[step], rest)
}
