import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled, signed } from './support/forge.ts'
import { McpWire } from './support/mcp.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const [a, b, c] = ['a', 'b', 'c'].map(sha) as [string, string, string]

const report = { conclusion: 'Done.', check: { how: 'by hand', result: 'passed' } }

/** A card that needs only its changes to be done, on a board with settings and a repository. */
async function started(settings: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>> = {}) {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings })
  const url = 'https://github.com/acme/shop'
  const repository = await world.ok('create_repository', { board_id, url, webhook_secret: forgeSecret, ...fields })
  const card_id = await scene.smallChange()
  await world.ok('move_card', { card_id, target_status: 'started' })
  const { ref } = await world.ok('get_card', { card_id })
  let secret = forgeSecret
  const tell = async (event: string, payload: object) => {
    const about = { repository: { id: 4711, full_name: 'acme/shop', default_branch: 'main' }, ...payload }
    const headers = { 'x-hub-signature-256': `sha256=${signed(JSON.stringify(about), secret)}` }
    await sendEvent(world, repository.id, { event, payload, headers })
    await settled(world, repository.id)
  }
  return {
    board_id,
    card_id,
    ref: ref as string,
    tell,
    /** Gives the repository another secret, with which events are signed from now on. */
    rotate: async (newSecret: string, by: Parameters<World['ok']>[2] = {}) => {
      const fields = { repository_id: repository.id, webhook_secret: newSecret, overlap_hours: 0 }
      await world.ok('rotate_repository_secret', fields, by)
      secret = newSecret
    },
    record: (changes: object) => world.ok('record_changes', { board_id, repository_id: repository.id, ...changes }),
    finish: () => world.call('move_card', { card_id, target_status: 'done', ...report }),
    /** The states of the two gates of the move to `done`, and what skips them. */
    gates: async () => {
      const { moves } = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: card_id })
      const { gates } = moves.find(({ to }: { to: string }) => to === 'done')
      return gates.flatMap(({ gate, state, skipped_by }: Record<string, string>) =>
        gate === 'change' || gate === 'checks' ? [[gate, state, skipped_by]] : [],
      )
    },
  }
}

const request = (title: string, more: object = {}) => ({
  number: 12,
  state: 'open',
  title,
  draft: false,
  merged: false,
  updated_at: '2026-11-20T08:20:05Z',
  head: { ref: 'work', sha: b, repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: a, repo: { full_name: 'acme/shop' } },
  ...more,
})
const merged = {
  state: 'closed',
  merged: true,
  merge_commit_sha: c,
  merged_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
}

const run = (name: string, conclusion: string | null, head_sha = b) => ({
  check_run: {
    name,
    head_sha,
    status: conclusion === null ? 'in_progress' : 'completed',
    conclusion,
    started_at: '2026-11-20T08:21:00Z',
    completed_at: conclusion === null ? null : '2026-11-20T08:21:00Z',
    html_url: 'https://github.com/acme/shop/runs/1',
  },
})

test('neither gate is asked for unless the board does (git 6)', async () => {
  const card = await started({})
  expect(await card.gates()).toEqual([
    ['change', 'skipped', 'require_merged_change'],
    ['checks', 'skipped', 'require_green_checks'],
  ])
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('a card is done once its pull request is merged', async () => {
  const card = await started({ require_merged_change: true })
  expect(await card.gates()).toEqual([
    ['change', 'blocked', null],
    ['checks', 'skipped', 'require_green_checks'],
  ])
  expect((await card.finish()).body.detail).toEqual({
    error: 'CHANGE_NOT_MERGED',
    message: expect.any(String),
    missing: [{ change_id: null, kind: null, title: null, state: null, url: null, reason: 'no_change' }],
    ways: [
      {
        how: 'operation',
        text: expect.any(String),
        operation: 'link_change',
        arguments: { entity_type: 'card', entity_id: card.card_id },
      },
    ],
  })
  const missing = async () =>
    ((await card.finish()).body.detail.missing ?? []).map(({ kind, reason }: Record<string, string>) => [kind, reason])
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref, { draft: true }) })
  expect(await missing()).toEqual([['pull_request', 'draft']])
  const ready = request(card.ref, { updated_at: '2026-11-20T08:30:00Z' })
  await card.tell('pull_request', { action: 'ready_for_review', pull_request: ready })
  expect(await missing()).toEqual([['pull_request', 'open']])
  await card.tell('pull_request', { action: 'closed', pull_request: request(card.ref, merged) })
  expect(await card.gates()).toEqual([
    ['change', 'passed', null],
    ['checks', 'skipped', 'require_green_checks'],
  ])
  expect(await card.finish()).toMatchObject({ status: 200, body: { status: 'done' } })
})

test('a commit counts on the default branch; a closed pull request keeps nothing open', async () => {
  const card = await started({ require_merged_change: true })
  await card.record({ commits: [{ sha: a, parents: [], subject: card.ref }], branches: [{ name: 'work', head: a }] })
  expect((await card.finish()).body.detail.missing).toMatchObject([
    { kind: 'commit', state: 'open', reason: 'not_on_default' },
  ])
  await card.record({ branches: [{ name: 'main', head: a, is_default: true }] })
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('where the board asks for a pipeline, a merge that an agent alone tells of does not count', async () => {
  const card = await started({ require_merged_change: true })
  const commits = [{ sha: a, parents: [], subject: card.ref }]
  await card.record({ commits, branches: [{ name: 'main', head: a, is_default: true }] })
  const change = async () => (await card.gates())[0]
  expect(await change()).toEqual(['change', 'passed', null])
  await world.ok('update_board', { board_id: card.board_id, settings: { min_evidence_tier: 'ci' } })
  expect(await change()).toEqual(['change', 'blocked', null])
})

test('where the forge has delivered, a merge that an agent alone tells of does not count', async () => {
  const card = await started({ require_merged_change: true })
  await card.tell('ping', {})
  const commits = [{ sha: a, parents: [], subject: card.ref }]
  await card.record({ commits, branches: [{ name: 'main', head: a, is_default: true }] })
  expect((await card.finish()).body.detail.missing).toMatchObject([{ kind: 'commit', reason: 'not_confirmed' }])
  const push = { ref: 'refs/heads/main', before: sha('0'), after: a, commits: [{ id: a, message: card.ref }] }
  await card.tell('push', push)
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('checks are asked for at the head of the pull request, and at its merge where some ran', async () => {
  const card = await started({ require_green_checks: true })
  const missing = async () =>
    ((await card.finish()).body.detail.missing ?? []).map((each: Record<string, string>) => [
      each.sha,
      each.name,
      each.state,
      each.reason,
    ])
  expect(await missing()).toEqual([[null, null, null, 'none']])
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref) })
  expect(await missing()).toEqual([[b, null, null, 'none']])
  await card.tell('check_run', run('test', null))
  expect(await missing()).toEqual([[b, 'test', 'pending', 'pending']])
  await card.tell('check_run', run('test', 'failure'))
  expect((await card.finish()).body.detail).toMatchObject({
    error: 'CHECKS_NOT_GREEN',
    missing: [{ url: 'https://github.com/acme/shop/runs/1', reason: 'failing' }],
    ways: [{ how: 'forge' }],
  })
  await card.tell('check_run', run('test', 'skipped'))
  await card.tell('pull_request', { action: 'closed', pull_request: request(card.ref, merged) })
  await card.tell('check_run', run('deploy', 'cancelled', c))
  expect(await missing()).toEqual([[c, 'deploy', 'cancelled', 'cancelled']])
  await card.tell('check_run', run('deploy', 'success', c))
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('checks are asked for at the last commit of a branch, whatever the times of its commits', async () => {
  for (const isOnePush of [true, false]) {
    const card = await started({ require_green_checks: true })
    const commits = [
      { id: a, message: card.ref, timestamp: '2026-11-20T08:20:00Z' },
      { id: b, message: card.ref, timestamp: '2026-11-20T08:10:00Z' },
    ]
    const push = { ref: 'refs/heads/work', before: sha('0') }
    if (isOnePush) await card.tell('push', { ...push, after: b, commits })
    else for (const commit of commits) await card.tell('push', { ...push, after: commit.id, commits: [commit] })
    await card.tell('check_run', run('unit', 'success'))
    expect((await card.gates())[1]).toEqual(['checks', 'passed', null])
  }
})

test('required checks that never ran are missing, others do not count', async () => {
  const card = await started({ require_green_checks: true }, { required_checks: ['unit', 'e2e*'] })
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref) })
  await card.tell('check_run', run('unit', 'success'))
  await card.tell('check_run', run('lint', 'failure'))
  expect((await card.finish()).body.detail.missing).toEqual([
    { sha: b, name: 'e2e*', state: null, url: null, reason: 'not_run' },
  ])
  await card.tell('check_run', run('e2e (chrome)', 'neutral'))
  expect(await card.finish()).toMatchObject({ status: 200 })
})

/** Lets a pipeline send reports of one test at the commit of a card; each is given the result of the test as XML. */
async function reporting({ board_id }: { readonly board_id: string }, name: string) {
  const pipeline = await world.agent({ kind: 'ci' })
  await world.ok('grant_board_access', { board_id, agent_id: pipeline.id })
  return (result: string) => {
    const text = `<testsuite name="s"><testcase name="t">${result}</testcase></testsuite>`
    const body = { board_id, commit: b, name, files: [{ name: 'a.xml', text }] }
    return world.ok('submit_test_report', body, { as: pipeline })
  }
}

test('a report of a pipeline at the commit is a check', async () => {
  const card = await started({ require_green_checks: true })
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref) })
  const send = await reporting(card, 'unit')
  await send('<failure/>')
  expect((await card.finish()).body.detail.missing).toMatchObject([{ name: 'report/unit', reason: 'failing' }])
  await send('')
  await send('<skipped/>')
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('a report in which no test ran is no check: it passes nothing and fails nothing (evidence 2)', async () => {
  const card = await started({ require_green_checks: true })
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref) })
  const send = await reporting(card, 'windows')
  expect(await send('<skipped/>')).toMatchObject({ tier: 'ci', outcome: 'empty' })
  expect((await card.finish()).body.detail.missing).toMatchObject([{ reason: 'none' }])
  await card.tell('check_run', run('unit', 'success'))
  expect(await card.finish()).toMatchObject({ status: 200 })
})

test('a validation does not finish a card whose change is not merged', async () => {
  const card = await started({ require_merged_change: true })
  const { card_id } = card
  await world.ok('move_card', { card_id, target_status: 'validation', ...report })
  const validation = await world.ok('submit_task_validation', {
    card_id,
    recommendation: 'approve',
    outcome: 'success',
    summary: 'It does what it says, and was tried by hand.',
    confidence: 95,
    confidence_justification: 'Tried.',
    completeness: 95,
    completeness_justification: 'All of it.',
    drift: 5,
    drift_justification: 'As planned.',
  })
  expect(validation).toMatchObject({
    card_status: 'validation',
    routing_blocked: { error: 'CHANGE_NOT_MERGED', gate: 'change' },
  })
})

test('past work that is filed in done has no change either', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  await world.ok('update_board', { board_id, settings: { require_merged_change: true } })
  const filed = await world.call('create_card', { board_id, title: 'Old work', status: 'done', imported: true })
  expect(filed).toMatchObject({ status: 409, body: { detail: { error: 'CHANGE_NOT_MERGED' } } })
})

test('a board without a forge is warned when checks are switched on', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const switchOn = async () => {
    await world.ok('update_board', { board_id, settings: { require_green_checks: false } })
    return world.ok('update_board', { board_id, settings: { require_green_checks: true } })
  }
  await world.ok('create_repository', { board_id, url: 'file:///srv/shop', forge: 'plain' })
  const board = await switchOn()
  expect(board).toMatchObject({ id: board_id, settings: { require_green_checks: true } })
  expect(board.warnings).toEqual([expect.stringContaining('reports checks')])
  expect(await world.ok('update_board', { board_id, settings: { require_green_checks: true } })).not.toHaveProperty(
    'warnings',
  )
  await world.ok('update_board', { board_id, settings: { require_green_checks: false } })
  const tool = await new McpWire(world).tool('update_board', { board_id, settings: { require_green_checks: true } })
  expect(tool.value.warnings).toEqual(board.warnings)
  await world.ok('create_repository', { board_id, url: 'https://github.com/acme/web' })
  expect(await switchOn()).not.toHaveProperty('warnings')
})

test('lists say how far the changes of cards are, and how their checks stand (git 9)', async () => {
  const card = await started({})
  const states = async (as = world.owner) => {
    const [summary] = await world.ok('list_cards', { board_id: card.board_id, ids: card.card_id }, { as })
    return [summary.change_state, summary.checks_state]
  }
  expect(await states()).toEqual(['none', 'none'])
  await card.record({ commits: [{ sha: b, parents: [], subject: card.ref, branch: 'work' }] })
  expect(await states()).toEqual(['branch', 'none'])
  await card.tell('pull_request', { action: 'opened', pull_request: request(card.ref, { draft: true }) })
  expect(await states()).toEqual(['draft', 'none'])
  const later = { updated_at: '2026-11-20T08:30:00Z' }
  await card.tell('pull_request', { action: 'ready_for_review', pull_request: request(card.ref, later) })
  await card.tell('check_run', run('unit', 'success'))
  await card.tell('check_run', run('e2e', 'failure'))
  expect(await states()).toEqual(['open', 'failing'])
  await card.tell('pull_request', { action: 'closed', pull_request: request(card.ref, merged) })
  expect(await states()).toEqual(['merged', 'failing'])
  const found = await world.ok('search_records', { q: '#12', board_id: card.board_id })
  expect(found.map(({ entity_type }: { entity_type: string }) => entity_type)).toEqual(['change', 'card'])
  const { spec_id } = await world.ok('get_card', { card_id: card.card_id })
  const counts = { none: 0, branch: 0, draft: 0, open: 0, merged: 1, closed: 0 }
  expect((await world.ok('get_spec', { spec_id })).changes).toEqual(counts)
  const reader = await world.agent({ permission_flags: { CHANGES_READ: false } })
  await world.ok('grant_board_access', { board_id: card.board_id, agent_id: reader.id })
  expect(await states(reader)).toEqual([null, null])
  expect((await world.ok('get_spec', { spec_id }, { as: reader })).changes).toBeNull()
  const events = await world.ok('list_board_events', { board_id: card.board_id, limit: 500 }, { as: reader })
  const actions = events.events.map(({ action }: { action: string }) => action)
  expect(actions).not.toContain('pull_request_opened')
  expect(actions).toContain('card_moved')
})

test('a secret that a worker was shown confirms nothing for its cards, where others have to say so', async () => {
  const card = await started({ require_merged_change: true, require_green_checks: true, min_evidence_tier: 'ci' })
  const states = async () => (await card.gates()).map(([, state]: readonly string[]) => state)
  await card.tell('pull_request', { action: 'closed', pull_request: request(card.ref, merged) })
  await card.tell('check_run', run('test', 'success'))
  expect(await states()).toEqual(['blocked', 'blocked'])
  const person = await Person.owner(world)
  // The worker still knows the secret that it was shown before.
  await card.rotate(forgeSecret, person.page)
  const again = (minute: string) => request(card.ref, { ...merged, updated_at: `2026-11-20T10:${minute}:00Z` })
  await card.tell('pull_request', { action: 'edited', pull_request: again('05') })
  expect(await states()).toEqual(['blocked', 'blocked'])
  await card.rotate('another-sample-secret', person.page)
  await card.tell('pull_request', { action: 'edited', pull_request: again('10') })
  await card.tell('check_run', run('test', 'success'))
  expect(await states()).toEqual(['passed', 'passed'])
  await card.rotate(forgeSecret)
  await card.tell('pull_request', { action: 'edited', pull_request: again('15') })
  expect(await states()).toEqual(['passed', 'passed'])
  await world.ok('update_board', { board_id: card.board_id, settings: { min_evidence_tier: 'observed' } })
  expect(await states()).toEqual(['passed', 'passed'])
})

test('a secret that somebody else was shown confirms what it signs', async () => {
  const other = await world.agent()
  const card = await started({ require_merged_change: true, min_evidence_tier: 'ci' })
  await world.ok('grant_board_access', { board_id: card.board_id, agent_id: other.id })
  await card.rotate('secret-of-the-other-one', { as: other })
  await card.tell('pull_request', { action: 'closed', pull_request: request(card.ref, merged) })
  expect((await card.gates())[0]).toEqual(['change', 'passed', null])
  await world.ok('update_card', { card_id: card.card_id, assignee_id: other.id })
  expect((await card.gates())[0]).toEqual(['change', 'blocked', null])
})

test('a key of a pipeline that a worker was shown confirms no merge of its cards', async () => {
  const card = await started({ require_merged_change: true, min_evidence_tier: 'ci' })
  const commits = [{ sha: a, parents: [], subject: card.ref }]
  const changes = { board_id: card.board_id, repository_id: 'shop', commits, branches: [{ name: 'main', head: a }] }
  const change = async () => (await card.gates())[0]
  const body = { board_ids: [card.board_id], kind: 'ci' }
  const exposed = await world.ok('create_agent', { ...body, name: 'Seen pipeline' })
  const as = (key: string) => ({ as: { id: 'ci', key, client: world.owner.client } })
  await world.ok('record_changes', changes, as(exposed.api_key))
  expect(await change()).toEqual(['change', 'blocked', null])
  const person = await Person.owner(world)
  const hidden = await world.ok('create_agent', { ...body, name: 'Kept pipeline' }, person.page)
  const merge = {
    ...changes,
    commits: [{ sha: c, parents: [a], subject: card.ref }],
    branches: [{ name: 'main', head: c }],
  }
  await world.ok('record_changes', merge, as(hidden.api_key))
  expect(await change()).toEqual(['change', 'passed', null])
})
