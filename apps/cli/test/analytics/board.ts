import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@specboard/client'
import { BlockerType } from '@specboard/contract'
import { inParallel } from '../../../../tools/lab/harness/in-parallel.ts'
import { same } from './compare.ts'
import { sameBoardFile, sameOverviewFile, sameRecordFile } from './exports.ts'
import { agents } from './model/agents.ts'
import { blockers } from './model/blockers.ts'
import * as board from './model/board.ts'
import { coverage } from './model/coverage.ts'
import { entities } from './model/entities.ts'
import { lists } from './model/lists.ts'
import { overview } from './model/overview.ts'
import * as single from './model/spec-and-sprint.ts'
import { boardVelocity } from './model/velocity.ts'
import { within } from './range.ts'
import { type Records, readRecords } from './records.ts'

const abreast = 16

/** Compares every analytics answer of a board with its records. */
export async function checkBoard(client: Client, board_id: string): Promise<void> {
  const records = await readRecords(client, board_id)
  await checkWhole(client, records)
  await checkRange(client, records)
  await checkBlockers(client, records)
  await checkOverview(client, records)
  await checkLists(client, records)
  await checkSpecsAndSprints(client, records)
  await checkRecords(client, records)
}

async function checkWhole(client: Client, records: Records): Promise<void> {
  const at = { board_id: records.boardId }
  const funnel = await client.getFunnelAnalytics(at)
  const quality = await client.getQualityAnalytics(at)
  const velocity = await client.getVelocityAnalytics(at)
  const now = new Date().toISOString()
  same('funnel', funnel, board.funnel(records))
  same('quality', quality, board.quality(records))
  same('velocity by week', velocity, boardVelocity(records, now, 'week', 12))
  const byDay = await client.getVelocityAnalytics({ ...at, granularity: 'day', days: 40 })
  same('velocity by day', byDay, boardVelocity(records, now, 'day', 40))
  const { week: _, ...last } = (await client.getFlowAnalytics(at)).buckets.at(-1) as Readonly<Record<string, unknown>>
  same('the last week of the flow', last, board.funnel(records).card_status_breakdown)
  const times = await client.getCycleTimeAnalytics({ ...at, limit: 1000 })
  same(
    'cycle times',
    [times.completed_cards, times.average_hours ?? 0, times.cards.length],
    [velocity.completed_cards, velocity.average_cycle_time_hours, velocity.completed_cards],
  )
  same('coverage', (await client.getCoverageAnalytics(at)).items, coverage(records))
  same('validations', await client.getValidationAnalytics(at), board.validations(records))
  same('sprints', await client.getSprintsAnalytics(at), board.sprints(records))
  same('agents', await createdAndReviewed(client, at), agents(records))
  await sameBoardFile(await client.exportBoardAnalytics(at), { funnel, quality, velocity })
}

/** Compares the operations that take a time range, over the middle half of the board's days. */
async function checkRange(client: Client, records: Records): Promise<void> {
  const times = records.cards.map(card => card.created_at).sort()
  const range = { from: times[Math.floor(times.length / 4)] ?? '', to: times[Math.floor((times.length * 3) / 4)] ?? '' }
  const at = { board_id: records.boardId, ...range }
  const some = within(records, range)
  same('funnel of a range', await client.getFunnelAnalytics(at), board.funnel(some))
  same('quality of a range', await client.getQualityAnalytics(at), board.quality(some))
  const ofSpecs = coverage({ specs: some.specs, cards: records.cards })
  same('coverage of a range', (await client.getCoverageAnalytics(at)).items, ofSpecs)
  same('validations of a range', await client.getValidationAnalytics(at), board.validations(some))
  same('sprints of a range', await client.getSprintsAnalytics(at), board.sprints(records, range))
  same('agents of a range', await createdAndReviewed(client, at), agents(records, range))
  const whole = await client.getAnalyticsOverview(range)
  if (whole.boards.length === 1) same('overview of a range', whole, overview(records, new Date().toISOString(), range))
  const { items } = await client.listEntityAnalytics({ ...at, type: 'card', limit: 200 })
  same('cards of a range', items, lists.card(some).slice(0, 200))
}

/**
 * The ranking of agents without the figures that come from the event log and from repositories, because they cannot be
 * derived from the records.
 */
async function createdAndReviewed(client: Client, at: Parameters<Client['getAgentAnalytics']>[0]) {
  const { items } = await client.getAgentAnalytics(at)
  return items
    .filter(row => row.total_cards + row.task_validations_submitted + row.spec_validations_submitted > 0)
    .map(
      ({
        worked_cards,
        claimed_cards,
        moved_cards,
        concluded_cards,
        worked_done_cards,
        rework_rate,
        cycle_hours,
        commits,
        merged_pull_requests,
        hours_to_merge,
        ...figures
      }) => figures,
    )
}

/** Compares all blockers, then those of each type. */
async function checkBlockers(client: Client, records: Records): Promise<void> {
  for (const filter_type of [undefined, ...BlockerType.options]) {
    const ask = () => client.getBlockersAnalytics({ board_id: records.boardId, ...(filter_type && { filter_type }) })
    const { answer, all } = await atOneAge(ask, () => blockers(records, 72, new Date().toISOString()))
    const found = all.filter(({ type }) => filter_type === undefined || type === filter_type)
    const counted = Map.groupBy(found, ({ type }) => type)
    same(
      `blockers ${filter_type ?? 'of all types'}`,
      { ...answer, blockers: answer.blockers.map(({ reason: _, ...blocker }) => blocker) },
      {
        board_id: records.boardId,
        summary: Object.fromEntries([...counted].map(([type, blockers]) => [type, blockers.length])),
        total: found.length,
        stale_hours_threshold: 72,
        filter_type: filter_type ?? null,
        blockers: found,
      },
    )
  }
}

/** An answer and the expectation at its time; asks again if an age grew in between. */
async function atOneAge<Answer, All>(ask: () => Promise<Answer>, expected: () => All) {
  for (;;) {
    const all = expected()
    const answer = await ask()
    if (isDeepStrictEqual(all, expected())) return { answer, all }
  }
}

/** Compares the overview, unless the account has other boards, which it would count too. */
async function checkOverview(client: Client, records: Records): Promise<void> {
  const answer = await client.getAnalyticsOverview()
  if (answer.boards.length === 1) same('overview', answer, overview(records, new Date().toISOString()))
  await sameOverviewFile(await client.exportAnalyticsOverview(), answer)
}

const kinds = ['ideation', 'refinement', 'spec', 'sprint', 'card'] as const
const pageSize = 50

/** Compares every page of every list, and a search in each. */
async function checkLists(client: Client, records: Records): Promise<void> {
  for (const type of kinds) {
    const expected: readonly { readonly title: string }[] = lists[type](records)
    const at = { board_id: records.boardId, type, limit: pageSize }
    for (let offset = 0; offset === 0 || offset < expected.length; offset += pageSize) {
      const items = expected.slice(offset, offset + pageSize)
      same(`${type}s from ${offset}`, await client.listEntityAnalytics({ ...at, offset }), {
        total: expected.length,
        offset,
        limit: pageSize,
        items,
      })
    }
    const search = expected[0]?.title.slice(0, 4).toUpperCase() ?? 'nothing'
    const found = expected.filter(({ title }) => title.toUpperCase().includes(search))
    const { total, items } = await client.listEntityAnalytics({ ...at, search })
    same(`${type}s with "${search}"`, { total, items }, { total: found.length, items: found.slice(0, pageSize) })
  }
}

async function checkSpecsAndSprints(client: Client, records: Records): Promise<void> {
  const { boardId: board_id, specs, sprints } = records
  await inParallel(specs, abreast, async spec => {
    const answer = await client.getSpecAnalytics({ board_id, spec_id: spec.id })
    same(`spec ${spec.id}`, answer, single.spec(records, spec))
  })
  await inParallel(sprints, abreast, async sprint => {
    const answer = await client.getSprintAnalytics({ board_id, sprint_id: sprint.id })
    same(`sprint ${sprint.id}`, answer, single.sprint(records, sprint, new Date().toISOString()))
  })
}

/** Compares the figures of each record, including archived cards, and their exports. */
async function checkRecords(client: Client, records: Records): Promise<void> {
  const each = [
    ...records.ideations.map(ideation => ['ideation', ideation.id, entities.ideation(records, ideation)] as const),
    ...records.refinements.map(each => ['refinement', each.id, entities.refinement(records, each)] as const),
    ...records.specs.map(spec => ['spec', spec.id, entities.spec(records, spec)] as const),
    ...records.sprints.map(sprint => ['sprint', sprint.id, entities.sprint(records, sprint)] as const),
    ...[...records.allCards.values()].map(card => ['card', card.id, entities.card(records, card)] as const),
  ]
  await inParallel(each, abreast, async ([entity_type, entity_id, expected]) => {
    const at = { board_id: records.boardId, entity_type, entity_id }
    const answer = await client.getEntityAnalytics(at)
    same(`${entity_type} ${entity_id} on its own`, answer, expected)
    await sameRecordFile(`export of ${entity_type} ${entity_id}`, await client.exportEntityAnalytics(at), answer)
  })
}
