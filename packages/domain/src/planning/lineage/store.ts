import { dialect } from '@specboard/storage'
import type { QueryCreator } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import { byAscii } from '../../lib/text-order.ts'
import type { Db } from '../../schema/database.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type {
  ArchitectureDesignsTable,
  CardDependenciesTable,
  CardsTable,
  ChangeLinksTable,
  ChangesTable,
  IdeationsTable,
  KnowledgeTable,
  RefinementsTable,
  Schema,
  SpecsTable,
  SpecValidationsTable,
  SprintsTable,
  TaskValidationsTable,
} from '../../schema/tables.ts'
import type { Root } from './root.ts'

type State = 'id' | 'title' | 'status' | 'archived'

/** Large columns, read only for a graph that contains them. */
interface Mockups {
  readonly screen_mockups?: CardsTable['screen_mockups'] | null
}

const entryColumns = [
  'business_rules',
  'technical_requirements',
  'test_scenarios',
  'api_contracts',
  'decisions',
] as const

export type IdeationRow = Pick<IdeationsTable, State> & WithReference & Mockups
export type RefinementRow = Pick<RefinementsTable, State | 'ideation_id'> & WithReference & Mockups
export type SpecRow = Pick<SpecsTable, State | 'ideation_id' | 'refinement_id'> &
  WithReference &
  Mockups &
  Partial<Pick<SpecsTable, (typeof entryColumns)[number]>>
export type SprintRow = Pick<SprintsTable, State | 'spec_id' | 'test_scenario_ids' | 'business_rule_ids'> &
  WithReference
export type CardRow = Pick<
  CardsTable,
  State | 'spec_id' | 'sprint_id' | 'card_type' | 'origin_task_id' | 'linked_test_task_ids' | 'test_scenario_ids'
> &
  WithReference &
  Mockups & { readonly knowledge_bases?: CardsTable['knowledge_bases'] }

/** The rows that a graph is built from, each list ordered by `created_at`, then `id`. */
export interface LineageRows {
  readonly ideations: IdeationRow[]
  readonly refinements: RefinementRow[]
  readonly specs: SpecRow[]
  readonly sprints: SprintRow[]
  readonly cards: CardRow[]
  readonly dependencies: Pick<CardDependenciesTable, 'card_id' | 'depends_on_id'>[]
  readonly spec_validations: Pick<SpecValidationsTable, 'id' | 'spec_id' | 'outcome'>[]
  readonly task_validations: Pick<TaskValidationsTable, 'id' | 'card_id' | 'outcome'>[]
  readonly changes: (Pick<ChangesTable, 'id' | 'title' | 'state' | 'happened_at'> &
    Pick<ChangeLinksTable, 'entity_id'>)[]
  readonly knowledge: Pick<KnowledgeTable, 'id' | 'owner_id' | 'title'>[]
  readonly designs: Pick<ArchitectureDesignsTable, 'id' | 'parent_id' | 'title'>[]
}

/** The ideations of a tree: all of the board, only the root, or none. */
const ideationsOf = (db: QueryCreator<Schema>, root: Root, boardId: string) =>
  db
    .selectFrom('ideations')
    .selectAll()
    .where('board_id', '=', boardId)
    .$if(root.type !== 'board', query => query.where('id', '=', root.type === 'ideation' ? root.id : ''))

/** The specs of a tree: all of the board, only the root, or those of the root and its refinements. */
const specsOf = (db: QueryCreator<Schema>, root: Root, boardId: string) =>
  db
    .selectFrom('specs')
    .selectAll()
    .where('board_id', '=', boardId)
    .$if(root.type === 'spec', query => query.where('id', '=', root.id))
    .$if(root.type === 'ideation', query =>
      query.where(eb =>
        eb.or([
          eb('ideation_id', '=', root.id),
          eb.and([
            eb('ideation_id', 'is', null),
            eb('refinement_id', 'in', eb.selectFrom('refinements').select('id').where('ideation_id', '=', root.id)),
          ]),
        ]),
      ),
    )

/** Which of the large parts to read. */
export interface Parts {
  /** The entries of specs. */
  readonly entries: boolean
  /** Mockups, knowledge and architecture. */
  readonly artifacts: boolean
  /** Commits, branches and pull requests. */
  readonly changes: boolean
}

/** The rows of a whole tree, in one query. */
export async function readRows(db: Db, boardId: string, root: Root, parts: Parts): Promise<LineageRows> {
  const { jsonArrayFrom } = dialect
  const state = [
    'id',
    'title',
    'status',
    'archived',
    ...(parts.artifacts ? (['screen_mockups'] as const) : []),
  ] as const
  const row = await db
    .with('tree_ideations', at => ideationsOf(at, root, boardId))
    .with('tree_refinements', at =>
      at
        .selectFrom('refinements')
        .selectAll()
        .where('ideation_id', 'in', eb => eb.selectFrom('tree_ideations').select('tree_ideations.id')),
    )
    .with('tree_specs', at => specsOf(at, root, boardId))
    .with('tree_cards', at =>
      at
        .selectFrom('cards')
        .selectAll()
        .where('spec_id', 'in', eb => eb.selectFrom('tree_specs').select('tree_specs.id')),
    )
    .with('owners', at =>
      at
        .selectFrom('tree_ideations')
        .select('id')
        .unionAll(at.selectFrom('tree_refinements').select('id'))
        .unionAll(at.selectFrom('tree_specs').select('id'))
        .unionAll(at.selectFrom('tree_cards').select('id')),
    )
    .selectNoFrom(eb => {
      const ownerIds = eb
        .selectFrom('owners')
        .select('owners.id')
        .$if(!parts.artifacts, query => query.limit(0))
      const cardIds = eb.selectFrom('tree_cards').select('tree_cards.id')
      const specIds = eb.selectFrom('tree_specs').select('tree_specs.id')
      return [
        jsonArrayFrom(
          eb
            .selectFrom('tree_ideations')
            .select(state)
            .select(refOf('tree_ideations').as('ref'))
            .orderBy('created_at')
            .orderBy('id'),
        ).as('ideations'),
        jsonArrayFrom(
          eb
            .selectFrom('tree_refinements')
            .select([...state, refOf('tree_refinements').as('ref'), 'ideation_id'])
            .orderBy('created_at')
            .orderBy('id'),
        ).as('refinements'),
        jsonArrayFrom(
          eb
            .selectFrom('tree_specs')
            .select([
              ...state,
              refOf('tree_specs').as('ref'),
              'ideation_id',
              'refinement_id',
              ...(parts.entries ? entryColumns : []),
            ])
            .orderBy('created_at')
            .orderBy('id'),
        ).as('specs'),
        jsonArrayFrom(
          eb
            .selectFrom('sprints')
            .select(['id', refOf('sprints').as('ref'), 'title', 'status', 'archived', 'spec_id'])
            .select(['test_scenario_ids', 'business_rule_ids'])
            .where('spec_id', 'in', specIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('sprints'),
        jsonArrayFrom(
          eb
            .selectFrom('tree_cards')
            .select([
              ...state,
              refOf('tree_cards').as('ref'),
              'spec_id',
              'sprint_id',
              'card_type',
              'origin_task_id',
              'linked_test_task_ids',
              'test_scenario_ids',
              ...(parts.artifacts ? (['knowledge_bases'] as const) : []),
            ])
            .orderBy('created_at')
            .orderBy('id'),
        ).as('cards'),
        jsonArrayFrom(
          eb
            .selectFrom('card_dependencies')
            .select(['card_id', 'depends_on_id'])
            .where('card_id', 'in', cardIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('dependencies'),
        jsonArrayFrom(
          eb
            .selectFrom('spec_validations')
            .select(['id', 'spec_id', 'outcome'])
            .where('spec_id', 'in', specIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('spec_validations'),
        jsonArrayFrom(
          eb
            .selectFrom('task_validations')
            .select(['id', 'card_id', 'outcome'])
            .where('card_id', 'in', cardIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('task_validations'),
        jsonArrayFrom(
          eb
            .selectFrom('change_links')
            .innerJoin('changes', 'changes.id', 'change_links.change_id')
            .where(sameBoard('changes', 'change_links'))
            .select(['changes.id', 'changes.title', 'changes.state', 'changes.happened_at', 'change_links.entity_id'])
            .where('change_links.is_undone', '=', 0)
            .where('entity_id', 'in', cardIds.unionAll(specIds))
            .$if(!parts.changes, query => query.limit(0)),
        ).as('changes'),
        jsonArrayFrom(
          eb
            .selectFrom('knowledge')
            .select(['id', 'owner_id', 'title'])
            .where('owner_id', 'in', ownerIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('knowledge'),
        jsonArrayFrom(
          eb
            .selectFrom('architecture_designs')
            .select(['id', 'parent_id', 'title'])
            .where('parent_id', 'in', ownerIds)
            .orderBy('created_at')
            .orderBy('id'),
        ).as('designs'),
      ]
    })
    .executeTakeFirstOrThrow()
  return {
    ideations: parseJson(row.ideations),
    refinements: parseJson(row.refinements),
    specs: parseJson(row.specs),
    sprints: parseJson(row.sprints),
    cards: parseJson(row.cards),
    dependencies: parseJson(row.dependencies),
    spec_validations: parseJson(row.spec_validations),
    task_validations: parseJson(row.task_validations),
    changes: parseJson(row.changes).toSorted(
      (one, other) => byAscii(one.happened_at, other.happened_at) || byAscii(one.id, other.id),
    ),
    knowledge: parseJson(row.knowledge),
    designs: parseJson(row.designs),
  }
}
