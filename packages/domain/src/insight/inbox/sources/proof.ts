/** Cards that only lack proof, and scenarios that fail (evidence 9). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { type MoveFacts, readMoveFacts } from '../../../delivery/cards/gates/facts.ts'
import { gatesOfMove, reportToCome } from '../../../delivery/cards/gates/gates.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseNullable } from '../../../lib/json.ts'
import { changesSince } from '../../../planning/proof/results.ts'
import type { Tier } from '../../../planning/proof/tiers.ts'
import type { Scenario } from '../../../planning/specs/items.ts'
import { hot } from '../../../schema/hot.ts'
import { onBoard, sameBoard } from '../../../schema/same-board.ts'
import type { SpecsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { type ItemDetails, idsOf, onBoards, type Source } from '../source.ts'
import { type WorkedCard, workedColumns } from './changes.ts'
import { isCaller, membersOn, responsibleOf } from './keepers.ts'

const asksForProof = sql`exists (select 1 from boards b where b.id = c.board_id
  and (${dialect.jsonFlag(sql.ref<string>('b.settings'), 'require_fresh_evidence')}
    or coalesce(${dialect.jsonText(sql.ref<string>('b.settings'), 'min_evidence_tier')}, 'claimed') <> 'claimed'))`

const inValidation = hot<{ boards: string; now: string }, WorkedCard>(
  (_, param) =>
    sql<WorkedCard>`select ${workedColumns(param('now'), sql`c.moved_at`, sql`null`)} from cards c
      where ${onBoards('c', param('boards'))} and c.status = 'validation' and c.archived = 0 and ${asksForProof}`,
)

/** Whether proof alone keeps a card from being done, apart from a person's approval. */
function waitsForProof(facts: MoveFacts): boolean {
  const to = 'done'
  const closed = gatesOfMove({ facts, to, report: reportToCome({ facts, to }) }).filter(
    ({ gate, refusal }) => gate !== 'report' && refusal !== null,
  )
  return closed.length > 0 && closed.every(({ gate }) => gate === 'proof')
}

/** Maximum number of items that an entry lists. */
const maxMissing = 5

/**
 * The cards, among some, that wait for the caller: as holder of the claim, else as assignee, else as anybody who may
 * move them.
 */
async function waitingForCaller(
  ctx: Context,
  boards: readonly Access[],
  cards: readonly WorkedCard[],
): Promise<WaitingItem[]> {
  const waiting: WaitingItem[] = []
  for (const { holder, assignee_id, moved_by: _, author: __, created_by: ___, ...card } of cards) {
    const readers = (await membersOn(ctx, card.board)).filter(({ access }) => access.allows('CARDS_READ'))
    const keeper = responsibleOf(readers, [holder, assignee_id])
    const access = boards.find(({ way }) => way?.boardId === card.board)
    const isOwn = keeper === undefined ? access !== undefined && mayCall(access, finishing) : isCaller(ctx, keeper)
    if (isOwn) waiting.push(card)
  }
  return waiting
}

const finishing = { operation: 'move_card', status: 'validation', body: { target_status: 'done' } } as const

/** Cards in `validation` that passed, but lack the proof that their board requires. */
const cardUnproven: Source = {
  kind: 'card_unproven',
  about: 'card',
  isOpen: access => access.allows('CARDS_READ'),
  find: async (ctx, boards) => {
    const found: WorkedCard[] = []
    for (const card of await inValidation(ctx.db, { boards: idsOf(boards), now: ctx.now() }))
      if (waitsForProof(await readMoveFacts(ctx, card.record))) found.push(card)
    return waitingForCaller(ctx, boards, found)
  },
  show: async (ctx, page) => {
    const details = new Map<string, ItemDetails>()
    for (const { record } of page) {
      const proof = (await readMoveFacts(ctx, record)).proof
      details.set(record, {
        actor_id: null,
        data: {
          required_tier: proof?.required_tier ?? null,
          fresh: proof?.fresh ?? false,
          missing: (proof?.missing ?? [])
            .slice(0, maxMissing)
            .map(({ ref, title, problem }) => ({ ref, title, problem })),
          ways: (proof?.ways ?? []).map(({ how, text }) => ({ how, text })),
        },
        operation: 'get_proof',
        arguments: { entity_type: 'card', entity_id: record },
      })
    }
    return details
  },
}

interface FailedRow {
  spec_id: string
  scenario_id: string
  board_id: string
  spec_status: string
  test_scenarios: SpecsTable['test_scenarios']
  tier: Tier
  print: string
  made_at: string
  commit_sha: string | null
  report_id: string | null
  run_id: string | null
}

/** Failed results that are more than claims, of specs in some statuses. */
const failedIn = (statuses: readonly string[]) =>
  hot<{ boards: string }, FailedRow>(
    (_, param) =>
      sql<FailedRow>`select r.spec_id, r.scenario_id, r.board_id, p.status as spec_status, p.test_scenarios, r.tier,
          r.print, r.made_at, r.commit_sha, r.report_id, r.run_id
        from scenario_results r join specs p on p.id = r.spec_id and ${sameBoard('p', 'r')}
        where ${onBoards('r', param('boards'))} and r.status = 'failed' and r.tier <> 'claimed' and p.archived = 0
          and p.status in (${sql.join(statuses.map(status => sql.lit(status)))})`,
  )

/** A scenario that failed, and has not passed since. */
interface FailedScenario {
  readonly row: FailedRow
  readonly scenario: Scenario
}

/** The newest failed result of each scenario that has not changed since it failed. */
function stillFailed(rows: readonly FailedRow[]): FailedScenario[] {
  const found = new Map<string, FailedScenario>()
  for (const row of rows) {
    const scenario = (parseNullable(row.test_scenarios) ?? []).find(({ id }) => id === row.scenario_id)
    if (scenario?.status !== 'failed' || changesSince({ ...scenario, tests: scenario.tests ?? [] })(row.print) !== null)
      continue
    const source = sourceOf(row)
    if ((found.get(source)?.row.made_at ?? '') < row.made_at) found.set(source, { row, scenario })
  }
  return [...found.values()]
}

const sourceOf = ({ spec_id, scenario_id }: Pick<FailedRow, 'spec_id' | 'scenario_id'>): string =>
  `${spec_id}/${scenario_id}`

const foundOf = ({ row }: FailedScenario): WaitingItem => ({
  source: sourceOf(row),
  record: row.spec_id,
  board: row.board_id,
  since: row.made_at,
})

/** The details of items about failed scenarios. */
const showing =
  (read: ReturnType<typeof failedIn>): Source['show'] =>
  async (ctx, page) => {
    const boards = JSON.stringify([...new Set(page.map(({ board }) => board))])
    return new Map(
      stillFailed(await read(ctx.db, { boards })).map(({ row, scenario }): [string, ItemDetails] => [
        sourceOf(row),
        {
          actor_id: null,
          data: {
            scenario_id: row.scenario_id,
            title: scenario.title,
            tier: row.tier,
            commit: row.commit_sha,
            report_id: row.report_id,
            run_id: row.run_id,
          },
          operation: 'get_proof',
          arguments: { entity_type: 'spec', entity_id: row.spec_id },
        },
      ]),
    )
  }

const failedUnderWay = failedIn(['approved', 'validated', 'in_progress'])

const failedWhenDone = failedIn(['done'])

const workersOf = hot<
  { board: string; cards: string; now: string },
  { holder: string | null; assignee_id: string | null }
>(
  (_, param) =>
    sql<{ holder: string | null; assignee_id: string | null }>`select c.assignee_id,
        (select k.agent_id from claims k where k.card_id = c.id and ${sameBoard('k', 'c')} and k.expires_at > ${param('now')}) as holder
      from cards c where ${dialect.inList(sql.ref('c.id'), sql<string>`${param('cards')}`)} and ${onBoard('c', param('board'))} and c.archived = 0
        and c.status not in ('done', 'cancelled')`,
)

/** Whether the caller works on a scenario, or, if nobody does, may record its results. */
async function isForCaller(ctx: Context, { row, scenario }: FailedScenario, access: Access): Promise<boolean> {
  const cards = JSON.stringify(scenario.linked_task_ids ?? [])
  const workers = (await workersOf(ctx.db, { board: row.board_id, cards, now: ctx.now() })).flatMap(
    ({ holder, assignee_id }) => [...(holder === null ? [] : [holder]), ...(assignee_id === null ? [] : [assignee_id])],
  )
  const members = await membersOn(ctx, row.board_id)
  const there = workers.filter(worker => responsibleOf(members, [worker]) !== undefined)
  if (there.length > 0) return there.some(worker => isCaller(ctx, worker))
  return mayCall(access, { operation: 'record_scenario_result', status: row.spec_status })
}

/** Scenarios of specs in progress that failed, until they pass. */
const scenarioFailed: Source = {
  kind: 'scenario_failed',
  about: 'spec',
  isOpen: access => access.allows('SPECS_READ'),
  find: async (ctx, boards) => {
    const found: WaitingItem[] = []
    for (const failed of stillFailed(await failedUnderWay(ctx.db, { boards: idsOf(boards) }))) {
      const access = boards.find(({ way }) => way?.boardId === failed.row.board_id)
      if (access !== undefined && (await isForCaller(ctx, failed, access))) found.push(foundOf(failed))
    }
    return found
  },
  show: showing(failedUnderWay),
}

/** Scenarios of done specs that fail now. */
const regression: Source = {
  kind: 'regression',
  about: 'spec',
  isOpen: access =>
    access.allows('SPECS_READ') &&
    mayCall(access, { operation: 'move_spec', status: 'done', body: { status: 'in_progress' } }),
  find: async (ctx, boards) => stillFailed(await failedWhenDone(ctx.db, { boards: idsOf(boards) })).map(foundOf),
  show: showing(failedWhenDone),
}

/** The sources of items about missing proof. */
export const proofOfCards: readonly Source[] = [cardUnproven, scenarioFailed, regression]
