import type { Permission } from '@specboard/contract'
import { readCardDependency } from './delivery/cards/dependencies/operations.ts'
import { exemptionsForDone, exemptionsForRepeatedDone } from './delivery/cards/done-by-worker.ts'
import { readMoveFacts } from './delivery/cards/gates/facts.ts'
import { exemptionsForRework } from './delivery/cards/rework.ts'
import { readEntryOrLetter } from './graph/queue/retry.ts'
import { manages } from './kernel/access/managed.ts'
import type { RecordType } from './kernel/access/records.ts'
import type { Context } from './kernel/context.ts'
import { notFound } from './kernel/errors.ts'
import type { CallParts, Finder, ForOthers, Opening, VisibilityCheck } from './kernel/service/composition.ts'
import { diagramOf } from './planning/architecture/design.ts'
import { readDesign } from './planning/architecture/store.ts'
import { findStandingSpec } from './planning/specs/find-standing.ts'
import { cardOfBoard, cardOfSpec, checkItem, type ItemType } from './planning/specs/link-operations.ts'
import { readAgent, seesPeople } from './workspace/agents/store.ts'
import { checkGuideline } from './workspace/guidelines/reach.ts'
import { readPreset } from './workspace/presets/store.ts'

/**
 * Checks for records without a board in a path, by parameter. They run before permissions are checked and throw
 * NOT_FOUND when the caller cannot see the record.
 */
export const ownVisibility: Readonly<Record<string, VisibilityCheck>> = {
  agent_id: seesAgent,
  preset_id: async ({ db, caller }, id) => {
    await readPreset(db, id, caller.id)
  },
  guideline_id: checkGuideline,
  item_id: (ctx, id) => checkItem(ctx, id),
}

const field = (body: unknown, name: string): unknown => (body as Readonly<Record<string, unknown>>)[name]

/**
 * Finders of the records that a write names besides those of its path, by operation; each throws NOT_FOUND for a
 * missing one. They run only for a caller without the permission, whose answer is 404 before 403 (general, Access);
 * for other callers the operation itself checks, as reads do.
 */
export const finders: Readonly<Record<string, Finder>> = {
  link_test_task: (ctx, { body }) => ctx.reach('card', String(field(body, 'test_task_id'))),
  remove_card_dependency: (ctx, { params }) =>
    readCardDependency(ctx, { card_id: String(params.card_id), depends_on_id: String(params.depends_on_id) }),
  link_card_to_spec: (ctx, { params }) => cardOfBoard(ctx, String(params.card_id)),
  unlink_card_from_spec: (ctx, { params }) => cardOfSpec(ctx, String(params.card_id)),
  link_change: findLinked,
  unlink_change: findLinked,
  link_task_to_item: findItem,
  unlink_task_from_item: findItem,
  create_agent: async (ctx, { body }) => {
    for (const id of (field(body, 'board_ids') ?? []) as readonly string[]) await ctx.reach('board', id)
  },
  put_diagram_payload: (ctx, { params }) => findDiagram(ctx, params.diagram_id),
  import_excalidraw_diagram: (ctx, { body }) => findDiagram(ctx, field(body, 'replace_diagram_id')),
  retry_kg_pending: (ctx, { params }) => readEntryOrLetter(ctx.db, ctx.boardId, String(params.queue_entry_id)),
  run_kg_tick: async (ctx, { body }) => {
    const board = field(body, 'board_id')
    if (typeof board === 'string') await ctx.reach('board', board)
  },
}

/** The record that a change is or will be linked to: on the board of the change. */
async function findLinked(ctx: Context, { params }: CallParts): Promise<void> {
  const type = String(params.entity_type) as RecordType
  const { record } = await ctx.reach(type, String(params.entity_id))
  if (record.board_id !== ctx.boardId) throw notFound(type, record.id)
}

export { ways } from './planning/ways.ts'

/**
 * What calls that concern others need, by operation that is otherwise open to every person. It is checked before whether
 * the caller is a person (people).
 */
export const forOthers: Readonly<Record<string, ForOthers>> = {
  create_sign_in_link: overAnother,
  end_sessions: overAnother,
  list_connections: (_, { query }) => (query.all === true ? 'CONNECTIONS_MANAGE' : null),
}

function overAnother({ caller }: Context, { params }: CallParts): Permission | null {
  return params.agent_id === caller.id ? null : 'PEOPLE_MANAGE'
}

/** What admits callers without all of an operation's permissions, by operation. */
export const openings: Readonly<Record<string, Opening>> = {
  move_card: async (ctx, { body }, isRepeated) => {
    const facts = await readMoveFacts(ctx, ctx.target.id)
    const to = String(field(body, 'target_status'))
    // If its verdict has already brought the card to `done`, moving it there is a move to its own status, and not a
    // write (crew 4.4).
    const isThere = to === 'done' && facts.card.status === 'done'
    return [
      ...exemptionsForRework(facts, to, ctx),
      ...exemptionsForDone(facts, to, ctx),
      ...(isRepeated ? exemptionsForRepeatedDone(facts, ctx) : []),
      ...(isThere ? (['CARDS_WRITE_IN_DONE'] as const) : []),
    ]
  },
  create_card: async (ctx, { body }) => openedToSmall(ctx, field(body, 'card_type'), field(body, 'spec_id')),
}

/** A small change is open to whoever may create one, including its first status (crew 7). */
async function openedToSmall(ctx: Context, type: unknown, spec: unknown): Promise<readonly Permission[]> {
  if (type !== 'normal' || !ctx.access.allows('CARDS_CREATE_SMALL')) return []
  const isSmall = spec == null || spec === (await findStandingSpec(ctx))
  return isSmall ? ['CARDS_CREATE', 'CARDS_WRITE_IN_NOT_STARTED'] : []
}

function findItem(ctx: Context, { params, body }: CallParts): Promise<void> {
  const { item_type } = (body ?? {}) as { readonly item_type?: ItemType }
  return checkItem(ctx, String(params.item_id), item_type)
}

async function findDiagram({ db, target }: Context, id: unknown): Promise<void> {
  if (typeof id === 'string') diagramOf(await readDesign(db, target.id), id)
}

/**
 * An agent sees itself and the agents that it manages, unless they are deleted (access 8.2); people are visible with
 * PEOPLE_READ.
 */
async function seesAgent({ db, caller, access }: Context, id: string): Promise<void> {
  const { kind } = await readAgent(db, id)
  if (kind === 'person' && seesPeople({ access })) return
  if (id !== caller.id && !(await manages(db, caller.id, id))) throw notFound('agent', id)
}
