import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from './support/forge.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

type Status = 'passed' | 'failed' | 'skipped'

const inside: Readonly<Record<Status, string>> = {
  passed: '',
  failed: '<failure message="no"/>',
  skipped: '<skipped/>',
}

/** A report of tests by name. */
const files = (tests: Readonly<Record<string, Status>>) => {
  const cases = Object.entries(tests).map(
    ([name, status]) => `<testcase classname="login" name="${name}">${inside[status]}</testcase>`,
  )
  return [{ name: 'web.xml', text: `<testsuite name="web">${cases.join('')}</testsuite>` }]
}

/** A board with a spec of two scenarios, and what works on them. */
class Board {
  readonly board_id: string
  readonly spec_id: string
  readonly scene: Scene

  private constructor(scene: Scene, spec_id: string) {
    this.scene = scene
    this.board_id = scene.boardId
    this.spec_id = spec_id
  }

  static async start(status: Parameters<Scene['spec']>[0] = 'in_progress'): Promise<Board> {
    const scene = await Scene.on(world)
    return new Board(scene, await scene.specWithScenarios(2, status))
  }

  map(tests: readonly string[], scenario_id = 's1') {
    return world.ok('set_scenario_tests', { spec_id: this.spec_id, scenario_id, tests })
  }

  submit(tests: Readonly<Record<string, Status>>, query: Readonly<Record<string, unknown>> = {}, as?: TestAgent) {
    const input = { board_id: this.board_id, files: files(tests), ...query }
    return world.ok('submit_test_report', input, as === undefined ? {} : { as })
  }

  /** The scenarios' statuses. */
  async statuses(): Promise<string[]> {
    const { test_scenarios } = await world.ok('get_spec', { spec_id: this.spec_id })
    return test_scenarios.map(({ status }: { status: string }) => status)
  }

  async actions(): Promise<string[]> {
    const { events } = await world.ok('list_board_events', { board_id: this.board_id, limit: 200 })
    return events.map(({ action }: { action: string }) => action)
  }
}

const commit = 'c'.repeat(40)

describe('set_scenario_tests (evidence 3)', () => {
  test('stores each pattern once, also of a locked spec, and changes no version', async () => {
    const board = await Board.start('done')
    const before = await world.ok('get_spec', { spec_id: board.spec_id })
    expect(before.test_scenarios[0].tests).toEqual([])
    const set = await board.map(['logs in', 'logs in', 'web::*'])
    expect(set).toMatchObject({ id: 's1', tests: ['logs in', 'web::*'] })
    const after = await world.ok('get_spec', { spec_id: board.spec_id })
    expect([after.version, after.test_scenarios[0].tests]).toEqual([before.version, ['logs in', 'web::*']])
    const [entry] = await world.ok('list_spec_history', { spec_id: board.spec_id })
    expect(entry).toMatchObject({
      action: 'updated',
      changes: [{ field: 'test_scenarios.s1.tests', old: [], new: ['logs in', 'web::*'] }],
    })
    expect(await board.actions()).toContain('scenario_tests_set')
  })

  test('a scenario that is sent again without tests keeps them', async () => {
    const board = await Board.start('draft')
    await board.map(['logs in'])
    const { test_scenarios } = await world.ok('update_spec', {
      spec_id: board.spec_id,
      test_scenarios: [{ id: 's1', title: 'Other' }],
      lists: 'merge',
    })
    expect(test_scenarios[0]).toMatchObject({ title: 'Other', tests: ['logs in'] })
  })

  test.each<[string, unknown]>([
    ['51 patterns', Array.from({ length: 51 }, (_, at) => `t${at}`)],
    ['an empty one', ['']],
    ['nine wildcards', ['*a'.repeat(9)]],
    ['501 characters', ['x'.repeat(501)]],
  ])('%s is 422', async (_, tests) => {
    const board = await Board.start()
    const { status } = await world.call('set_scenario_tests', { spec_id: board.spec_id, scenario_id: 's1', tests })
    expect(status).toBe(422)
  })

  test('asks SPECS_MAP_TESTS, and a scenario that is there', async () => {
    const board = await Board.start()
    const limited = await world.agent({ permission_flags: { SPECS_MAP_TESTS: false } })
    await world.ok('grant_board_access', { agent_id: limited.id, board_id: board.board_id })
    const args = { spec_id: board.spec_id, scenario_id: 's1', tests: ['a'] }
    const refused = await world.call('set_scenario_tests', args, { as: limited })
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'SPECS_MAP_TESTS'])
    expect((await world.call('set_scenario_tests', { ...args, scenario_id: 'x' })).status).toBe(404)
  })
})

describe('what a report does (evidence 4)', () => {
  test('passes, fails and leaves scenarios, and says so', async () => {
    const board = await Board.start()
    await board.map(['logs in', 'logs out'])
    const { ref } = await world.ok('get_spec', { spec_id: board.spec_id })
    const one = await board.submit(
      { 'logs in': 'passed', [`pays ${ref}/s2 and ${ref}/s9`]: 'failed', other: 'passed' },
      { commit },
    )
    expect(one.mapping).toEqual({
      scenarios: [
        {
          spec_id: board.spec_id,
          spec_ref: ref,
          scenario_id: 's1',
          title: 'Works',
          from: 'draft',
          to: 'draft',
          result: 'incomplete',
          reason: null,
          tests: 1,
          cases: ['web::login::logs in'],
          unmatched: ['logs out'],
          skipped: 0,
          flaky: false,
        },
        expect.objectContaining({ scenario_id: 's2', from: 'draft', to: 'failed', result: 'failed' }),
      ],
      scenarios_total: 2,
      records: [],
      records_total: 0,
      unknown_refs: [`${ref}/s9`],
      unknown_refs_total: 1,
      unmapped: ['web::login::other'],
      unmapped_total: 1,
    })
    expect(await board.statuses()).toEqual(['draft', 'failed'])
    await board.submit({ 'logs in': 'passed', 'logs out': 'passed' }, { commit })
    expect(await board.statuses()).toEqual(['passed', 'failed'])
    const { test_scenarios } = await world.ok('get_spec', { spec_id: board.spec_id })
    expect(test_scenarios[0].latest_evidence).toMatchObject({
      test_function: 'logs in',
      output_snippet: '2 passed, 0 failed, 0 skipped',
      test_run_id: expect.any(String),
      last_run_at: expect.any(String),
    })
    expect(await board.actions()).toEqual(
      expect.arrayContaining(['scenario_failed', 'scenario_proved', 'test_scenario_status_changed']),
    )
    expect((await world.ok('get_test_report', { report_id: one.id })).mapping).toEqual(one.mapping)
    expect((await world.ok('list_test_reports', { board_id: board.board_id }))[0].mapping).toBeUndefined()
  })

  test('a preview answers the same and sets nothing', async () => {
    const board = await Board.start()
    await board.map(['logs in'])
    const { mapping } = await board.submit({ 'logs in': 'passed' }, { preview: true })
    expect(mapping.scenarios[0]).toMatchObject({ from: 'draft', to: 'passed', result: 'passed' })
    expect(await board.statuses()).toEqual(['draft', 'draft'])
  })

  test('shards of a run are taken together, and a later attempt replaces an earlier one of its name', async () => {
    const board = await Board.start()
    await board.map(['logs in', 'logs out'])
    const run = { commit, ci_run: '9' }
    const first = await board.submit({ 'logs in': 'passed' }, { ...run, name: 'one' })
    expect(first.mapping.scenarios[0].result).toBe('incomplete')
    await board.submit({ 'logs out': 'failed' }, { ...run, name: 'two' })
    expect(await board.statuses()).toEqual(['failed', 'draft'])
    const again = await board.submit({ 'logs out': 'passed' }, { ...run, name: 'two', attempt: 2 })
    expect(again.mapping.scenarios[0]).toMatchObject({ result: 'passed', tests: 2, unmatched: [] })
    expect(await board.statuses()).toEqual(['passed', 'draft'])
  })

  test('a skipped test proves nothing', async () => {
    const board = await Board.start()
    await board.map(['login::*'])
    const { mapping } = await board.submit({ a: 'passed', b: 'skipped' })
    expect(mapping.scenarios[0]).toMatchObject({ result: 'incomplete', skipped: 1, tests: 2 })
    expect(await board.statuses()).toEqual(['draft', 'draft'])
  })

  test('specs that are not open or archived are passed over', async () => {
    const board = await Board.start('draft')
    await board.map(['logs in'])
    const { mapping } = await board.submit({ 'logs in': 'passed' })
    expect(mapping.scenarios[0]).toMatchObject({ result: 'ignored', reason: 'spec_status', from: 'draft', to: 'draft' })
    const other = await Board.start()
    await other.map(['logs in'])
    await world.ok('archive_record', { board_id: other.board_id, entity_type: 'spec', entity_id: other.spec_id })
    const { mapping: second } = await other.submit({ 'logs in': 'passed' })
    expect(second.scenarios[0]).toMatchObject({ result: 'ignored', reason: 'archived' })
  })

  test('a branch speaks for its own work', async () => {
    const board = await Board.start()
    await board.map(['logs in'])
    const { board_id, spec_id } = board
    await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
    const card_id = await board.scene.card({ spec_id })
    const { ref } = await world.ok('get_card', { card_id })
    const commits = [{ sha: commit, parents: [], subject: `Fix ${ref}` }]
    await world.ok('record_changes', { board_id, repository_id: 'shop', commits })
    const other = await board.submit({ 'logs in': 'failed' }, { commit: 'd'.repeat(40), branch: 'theirs' })
    expect(other.mapping.scenarios[0]).toMatchObject({ result: 'ignored', reason: 'other_branch' })
    const own = await board.submit({ 'logs in': 'passed' }, { commit, branch: 'ours' })
    expect(own.mapping.scenarios[0].result).toBe('passed')
    expect(own.mapping.records).toEqual([{ entity_type: 'card', id: card_id, ref, how: 'commit' }])
    expect((await world.ok('list_test_reports', { board_id, card_id })).map(({ id }: { id: string }) => id)).toEqual([
      own.id,
    ])
    const named = await board.submit({ 'logs in': 'failed' }, { commit: 'e'.repeat(40), branch: 'x', for: ref })
    expect(named.mapping.scenarios[0].result).toBe('failed')
    const main = await board.submit({ 'logs in': 'passed' }, { commit: 'f'.repeat(40), branch: 'main' })
    expect(main.mapping.scenarios[0].result).toBe('passed')
  })

  test('a pull request speaks for its work before anybody told of its push', async () => {
    const board = await Board.start()
    const { board_id } = board
    await board.map(['logs in'])
    const card_id = await board.scene.testCard({ spec_id: board.spec_id })
    const { ref } = await world.ok('get_card', { card_id })
    const { id: repository_id } = await world.ok('create_repository', {
      board_id,
      url: 'https://github.com/acme/shop',
      webhook_secret: forgeSecret,
    })
    const [base, head, fork] = ['a', 'b', 'c'].map(digit => digit.repeat(40))
    const tell = async (number: number, title: string, branch: string, sha: string | undefined, from = 'acme/shop') => {
      const repo = { full_name: 'acme/shop' }
      const pull_request = {
        number,
        title,
        state: 'open',
        draft: false,
        merged: false,
        updated_at: new Date().toISOString(),
        head: { ref: branch, sha, repo: { full_name: from } },
        base: { ref: 'main', sha: base, repo },
      }
      await sendEvent(world, repository_id, { event: 'pull_request', payload: { action: 'opened', pull_request } })
      await settled(world, repository_id)
    }
    await tell(12, `${ref}: logs in`, 'ours', head)
    await tell(13, `${ref}: logs in too`, 'main-fork', fork, 'other/shop')
    const preview = async (query: object) => {
      const { mapping } = await board.submit({ 'logs in': 'passed' }, { preview: true, ...query })
      return mapping.scenarios[0].result
    }
    expect(await preview({ commit: head })).toBe('passed')
    expect(await preview({ branch: 'ours' })).toBe('passed')
    expect(await preview({ commit: 'd'.repeat(40), tested_commit: head })).toBe('passed')
    expect(await preview({ commit: fork })).toBe('passed')
    // A branch of this repository is not a fork's of the same name.
    expect(await preview({ branch: 'main-fork' })).toBe('ignored')
    expect(await preview({ commit: 'd'.repeat(40), branch: 'theirs' })).toBe('ignored')
    const { mapping } = await board.submit({ 'logs in': 'passed' }, { commit: head, branch: 'ours' })
    expect(mapping.records).toMatchObject([{ ref, how: 'pull_request' }])
  })

  test('of a finished spec only the default branch counts, and what broke later is a regression', async () => {
    const board = await Board.start('done')
    const { board_id, spec_id } = board
    await board.map(['logs in'])
    await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
    const branch = await board.submit({ 'logs in': 'failed' }, { commit, branch: 'work' })
    expect(branch.mapping.scenarios[0].reason).toBe('other_branch')
    await board.submit({ 'logs in': 'failed' }, { commit, branch: 'main', name: 'main' })
    expect(await board.statuses()).toEqual(['failed', 'draft'])
    expect((await world.ok('get_spec', { spec_id })).status).toBe('done')
    expect(await board.actions()).toContain('scenario_regressed')
  })

  test('cards of a scenario are spoken for, and who reads no specs sees none of the mapping', async () => {
    const board = await Board.start()
    const card_id = await board.scene.testCard({ spec_id: board.spec_id })
    await board.map(['logs in'])
    const { id, mapping } = await board.submit({ 'logs in': 'passed' })
    expect(mapping.records.map(({ id: of, how }: { id: string; how: string }) => [of, how])).toEqual([
      [card_id, 'scenario'],
    ])
    const reader = await world.agent({ permission_flags: { SPECS_READ: false } })
    await world.ok('grant_board_access', { agent_id: reader.id, board_id: board.board_id })
    const report = await world.ok('get_test_report', { report_id: id }, { as: reader })
    expect(report.mapping).toMatchObject({ scenarios: [], scenarios_total: 0, records_total: 1 })
  })
})
