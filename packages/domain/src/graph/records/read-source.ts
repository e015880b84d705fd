import type { ArtifactType } from '@specboard/contract'
import { dialect, type Json, type Param } from '@specboard/storage'
import { type Expression, type NotNull, type SqlBool, sql } from 'kysely'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type {
  ArchitectureDesignsTable,
  CardsTable,
  IdeationsTable,
  RefinementsTable,
  SpecsTable,
  SprintsTable,
} from '../../schema/tables.ts'
import type {
  ArtifactSource,
  CardLink,
  CardSource,
  DesignSource,
  SpecLists,
  SpecSource,
} from '../extraction/sources.ts'

const designsOf = hot<
  OnBoard,
  Pick<ArchitectureDesignsTable, 'id' | 'title' | 'global_description' | 'entities' | 'interfaces'>
>((db, param) =>
  db
    .selectFrom('architecture_designs')
    .select(['id', 'title', 'global_description', 'entities', 'interfaces'])
    .where('parent_id', '=', param('id'))
    .where(onBoard('architecture_designs', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
)

const readDesigns = async (db: Db, parent: OnBoard): Promise<DesignSource[]> =>
  (await designsOf(db, parent)).map(design => ({
    ...design,
    entities: parseJson(design.entities),
    interfaces: parseJson(design.interfaces),
  }))

const list = (text: Json<readonly unknown[]> | null): readonly unknown[] => parseNullable(text) ?? []

const ideationById = hot<{ id: string }, IdeationsTable>((db, param) =>
  db.selectFrom('ideations').selectAll().where('id', '=', param('id')),
)

async function readIdeation(db: Db, id: string): Promise<ArtifactSource | null> {
  const [row] = await ideationById(db, { id })
  if (row === undefined) return null
  return { ...row, type: 'ideation', archived: row.archived === 1, designs: await readDesigns(db, row) }
}

const refinementById = hot<{ id: string }, RefinementsTable>((db, param) =>
  db.selectFrom('refinements').selectAll().where('id', '=', param('id')),
)

async function readRefinement(db: Db, id: string): Promise<ArtifactSource | null> {
  const [row] = await refinementById(db, { id })
  if (row === undefined) return null
  return {
    ...row,
    type: 'refinement',
    archived: row.archived === 1,
    decisions: list(row.decisions),
    designs: await readDesigns(db, row),
  }
}

const specById = hot<{ id: string }, SpecsTable>((db, param) =>
  db.selectFrom('specs').selectAll().where('id', '=', param('id')),
)

const answersOf = hot<OnBoard, { answer: string }>((db, param) =>
  db
    .selectFrom('questions')
    .select('answer')
    .where('owner_id', '=', param('id'))
    .where(onBoard('questions', param('board_id')))
    .where('owner_type', '=', 'spec')
    .where('answer', 'is not', null)
    .$narrowType<{ answer: NotNull }>()
    .orderBy('created_at')
    .orderBy('id'),
)

async function readSpec(db: Db, id: string): Promise<SpecSource | null> {
  const [row] = await specById(db, { id })
  if (row === undefined) return null
  const answers = await answersOf(db, row)
  return {
    type: 'spec',
    id,
    title: row.title,
    description: row.description,
    context: row.context,
    status: row.status,
    archived: row.archived === 1,
    ideation_id: row.ideation_id,
    refinement_id: row.refinement_id,
    functional_requirements: list(row.functional_requirements),
    technical_requirements: list(row.technical_requirements),
    acceptance_criteria: list(row.acceptance_criteria),
    test_scenarios: list(row.test_scenarios),
    business_rules: list(row.business_rules),
    api_contracts: list(row.api_contracts),
    decisions: list(row.decisions),
    answers: answers.map(({ answer }) => answer),
    designs: await readDesigns(db, row),
  }
}

const sprintById = hot<{ id: string }, SprintsTable>((db, param) =>
  db.selectFrom('sprints').selectAll().where('id', '=', param('id')),
)

async function readSprint(db: Db, id: string): Promise<ArtifactSource | null> {
  const [row] = await sprintById(db, { id })
  return row === undefined ? null : { ...row, type: 'sprint', archived: row.archived === 1 }
}

const cardById = hot<{ id: string }, CardsTable>((db, param) =>
  db.selectFrom('cards').selectAll().where('id', '=', param('id')),
)

const validationOf = hot<OnBoard, { outcome: string; summary: string }>((db, param) =>
  db
    .selectFrom('task_validations')
    .select(['outcome', 'summary'])
    .where('card_id', '=', param('id'))
    .where(onBoard('task_validations', param('board_id')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

const dependenciesOf = hot<OnBoard, CardLink>((db, param) =>
  db
    .selectFrom('card_dependencies')
    .innerJoin('cards', 'cards.id', 'card_dependencies.depends_on_id')
    .where(sameBoard('cards', 'card_dependencies'))
    .select(['cards.id', 'cards.card_type'])
    .where('card_dependencies.card_id', '=', param('id'))
    .where(onBoard('card_dependencies', param('board_id')))
    .orderBy('card_dependencies.created_at')
    .orderBy('card_dependencies.id'),
)

/** Records of a board. */
interface Selection {
  board: string
  ids: string
}

const among = (table: string, param: Param<Selection>): Expression<SqlBool> =>
  sql<SqlBool>`(${dialect.inList(sql.ref<string>(`${table}.id`), param('ids'))} and ${onBoard(table, param('board'))})`

const cardsOf = hot<Selection, Pick<CardsTable, 'id' | 'card_type' | 'spec_id' | 'test_scenario_ids'>>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'card_type', 'spec_id', 'test_scenario_ids'])
    .where(among('cards', param))
    .orderBy('created_at')
    .orderBy('id'),
)

const specListsOf = hot<
  Selection,
  Pick<SpecsTable, 'id' | 'technical_requirements' | 'business_rules' | 'test_scenarios'>
>((db, param) =>
  db
    .selectFrom('specs')
    .select(['id', 'technical_requirements', 'business_rules', 'test_scenarios'])
    .where(among('specs', param)),
)

async function readSpecLists(db: Db, board: string, ids: readonly (string | null)[]): Promise<SpecLists[]> {
  const specIds = [...new Set(ids.filter(id => id !== null))]
  if (specIds.length === 0) return []
  return (await specListsOf(db, { board, ids: JSON.stringify(specIds) })).map(row => ({
    id: row.id,
    technical_requirements: list(row.technical_requirements),
    business_rules: list(row.business_rules),
    test_scenarios: list(row.test_scenarios),
  }))
}

/** What a bug refers to: its origin, its test tasks, and the lists of their specs. */
async function readBugLinks(db: Db, row: CardsTable): Promise<Pick<CardSource, 'origin' | 'test_tasks' | 'specs'>> {
  const taskIds = parseJson(row.linked_test_task_ids)
  const ids = [...new Set([...(row.origin_task_id === null ? [] : [row.origin_task_id]), ...taskIds])]
  const cards = ids.length === 0 ? [] : await cardsOf(db, { board: row.board_id, ids: JSON.stringify(ids) })
  const byId = new Map(cards.map(card => [card.id, card]))
  const test_tasks = taskIds.flatMap(id => {
    const task = byId.get(id)
    return task === undefined ? [] : [{ ...task, test_scenario_ids: parseJson(task.test_scenario_ids) }]
  })
  return {
    origin: byId.get(row.origin_task_id ?? '') ?? null,
    test_tasks,
    specs: await readSpecLists(db, row.board_id, [row.spec_id, ...test_tasks.map(task => task.spec_id)]),
  }
}

async function readCard(db: Db, id: string): Promise<ArtifactSource | null> {
  const [row] = await cardById(db, { id })
  if (row === undefined) return null
  const [validation] = await validationOf(db, row)
  const conclusions = parseJson(row.conclusions)
  const links = row.card_type === 'bug' ? await readBugLinks(db, row) : { origin: null, test_tasks: [], specs: [] }
  return {
    ...row,
    type: 'card',
    archived: row.archived === 1,
    conclusion: conclusions.at(-1)?.text ?? null,
    validation: validation ?? null,
    dependencies: await dependenciesOf(db, row),
    designs: await readDesigns(db, row),
    ...links,
  }
}

const readers: Readonly<Record<ArtifactType, (db: Db, id: string) => Promise<ArtifactSource | null>>> = {
  ideation: readIdeation,
  refinement: readRefinement,
  spec: readSpec,
  sprint: readSprint,
  card: readCard,
}

/** Reads the fields of a record that extraction needs; null when the record does not exist. */
export const readSource = (db: Db, type: ArtifactType, id: string): Promise<ArtifactSource | null> =>
  readers[type](db, id)
