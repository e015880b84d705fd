import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, type TestAnswer, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const commit = 'a'.repeat(40)

const junit = (...cases: readonly string[]) =>
  `<testsuites><testsuite name="web">${cases.join('')}</testsuite></testsuites>`
const passed = (name: string) => `<testcase classname="login" name="${name}"/>`
const failed = (name: string) => `<testcase classname="login" name="${name}"><failure message="no"/></testcase>`
const file = (text: string, name = 'web.xml') => [{ name, text }]

/** Sends a form. */
async function send(
  board_id: string,
  form: FormData,
  query: Readonly<Record<string, string>> = {},
  { key }: Pick<TestAgent, 'key'> = world.owner,
) {
  const address = `${world.running.url}/api/v1/boards/${board_id}/test-reports?${new URLSearchParams(query)}`
  const answer = await fetch(address, { method: 'POST', body: form, headers: { authorization: `Bearer ${key}` } })
  const body: TestAnswer['body'] = await answer.json()
  return { status: answer.status, body }
}

const formOf = (...files: readonly File[]): FormData => {
  const form = new FormData()
  for (const each of files) form.append('file', each)
  return form
}

const board = async () => (await Scene.on(world)).boardId

describe('submit_test_report (evidence 2)', () => {
  test('counts cases of all files, packed or not, and says who sent them', async () => {
    const board_id = await board()
    const form = formOf(
      new File([junit(passed('logs in'), failed('logs out'))], 'one.xml'),
      new File([gzipSync('1..2\nok 1 - adds\nok 2 - pays # SKIP later\n')], 'two.tap'),
    )
    const { status, body } = await send(board_id, form, { commit, branch: 'main', name: 'unit', ci_run: '7' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        board_id,
        repository_id: null,
        repository: null,
        name: 'unit',
        commit,
        tested_commit: null,
        tree: null,
        branch: 'main',
        pull_request: null,
        ci_run: '7',
        attempt: 1,
        run_url: null,
        tier: 'claimed',
        tier_reason: 'not_present',
        actor_type: 'person',
        submitted_by: world.owner.id,
        submitted_by_name: 'Local Owner',
        proof_run_id: null,
        files: [
          {
            name: 'one.xml',
            format: 'junit',
            size: expect.any(Number),
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            cases: 2,
          },
          { name: 'two.tap', format: 'tap', size: 42, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), cases: 2 },
        ],
        cases: 4,
        executed: 3,
        passed: 2,
        failed: 1,
        skipped: 1,
        flaky: 0,
        outcome: 'failed',
        content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        cases_kept: true,
        created_at: expect.any(String),
        mapping: expect.objectContaining({ scenarios: [], unmapped_total: 3 }),
      },
    ])
    expect(await world.ok('get_test_report', { report_id: body.id })).toEqual(body)
    const cases = await world.ok('list_test_cases', { report_id: body.id })
    expect(cases.map(({ address, status: is }: { address: string; status: string }) => [address, is])).toEqual([
      ['web::login::logs out', 'failed'],
      ['web::login::logs in', 'passed'],
      ['adds', 'passed'],
      ['pays', 'skipped'],
    ])
    expect(cases[0]).toEqual({
      address: 'web::login::logs out',
      suite: 'web',
      class: 'login',
      name: 'logs out',
      file: null,
      status: 'failed',
      flaky: false,
      duration_ms: null,
      message: 'no',
      refs: [],
    })
    const found = await world.call('list_test_cases', { report_id: body.id, status: 'passed', q: 'LOGIN' })
    expect([found.body.length, found.headers.get('x-total-count')]).toEqual([1, '1'])
    const named = async (pattern: string, further: object = {}) => {
      const answer = await world.call('list_test_cases', { report_id: body.id, pattern, ...further })
      return [answer.headers.get('x-total-count'), answer.body.map(({ name }: { name: string }) => name)]
    }
    expect(await named('logs in')).toEqual(['1', ['logs in']])
    expect(await named('LOGS IN')).toEqual(['0', []])
    expect(await named('login::*')).toEqual(['2', ['logs out', 'logs in']])
    expect(await named('logs*', { limit: 1, offset: 1 })).toEqual(['2', ['logs in']])
    expect(await named('gs in')).toEqual(['0', []])
    expect((await world.call('list_test_cases', { report_id: body.id, pattern: '* '.repeat(9) })).status).toBe(422)
    const { events } = await world.ok('list_board_events', { board_id })
    expect(events.at(-1)).toMatchObject({
      action: 'report_submitted',
      details: { report_id: body.id, name: 'unit', tier: 'claimed', outcome: 'failed', commit },
    })
  })

  test('the tier follows from caller and door, never from the body (evidence 1)', async () => {
    const board_id = await board()
    const agent = await world.agent()
    await world.ok('grant_board_access', { agent_id: agent.id, board_id })
    const report = { board_id, files: file(junit(passed('a'))), tier: 'ci', proof: { status: 'proven' } }
    const tierOf = ({ tier, tier_reason }: Record<string, string>) => [tier, tier_reason]
    expect(tierOf(await world.ok('submit_test_report', { ...report, name: 'agent' }, { as: agent }))).toEqual([
      'claimed',
      'agent',
    ])
    const person = await Person.owner(world)
    expect(tierOf(await person.ok('submit_test_report', { ...report, name: 'person' }))).toEqual(['person', 'person'])
    const wire = new McpWire(world)
    const { value } = await wire.tool('submit_test_report', {
      board_id,
      name: 'mcp',
      filename: 'a.xml',
      text: junit(passed('a')),
    })
    expect(tierOf(value)).toEqual(['claimed', 'mcp'])
    const ci = await world.agent({ kind: 'ci' })
    await world.ok('grant_board_access', { agent_id: ci.id, board_id })
    expect(tierOf(await world.ok('submit_test_report', { ...report, name: 'ci' }, { as: ci }))).toEqual([
      'ci',
      'ci_key',
    ])
    const listed = await world.call('list_test_reports', { board_id, tier: 'ci,person' })
    expect([listed.body.map(({ name }: { name: string }) => name), listed.headers.get('x-total-count')]).toEqual([
      ['ci', 'person'],
      '2',
    ])
  })

  test('the same content again is the stored report; another under its identity is refused', async () => {
    const board_id = await board()
    const report = { board_id, commit, ci_run: '1', name: 'unit', files: file(junit(passed('a'))) }
    const first = await world.call('submit_test_report', report)
    const again = await world.call('submit_test_report', report)
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
    const other = await world.call('submit_test_report', { ...report, files: file(junit(failed('a'))) })
    expect([other.status, other.body.detail]).toMatchObject([409, { error: 'REPORT_EXISTS', report_id: first.body.id }])
    expect(other.body.detail.message).toMatch(/"unit" and attempt 1/)
    expect(
      (await world.call('submit_test_report', { ...report, attempt: 2, files: file(junit(failed('a'))) })).status,
    ).toBe(201)
    // Without a run, a report is also distinguished by its content.
    const { ci_run: _, ...loose } = report
    expect((await world.call('submit_test_report', loose)).status).toBe(201)
    expect((await world.call('submit_test_report', { ...loose, files: file(junit(failed('a'))) })).status).toBe(201)
    const { events } = await world.ok('list_board_events', { board_id, limit: 200 })
    expect(events.filter(({ action }: { action: string }) => action === 'report_submitted')).toHaveLength(4)
  })

  test('a preview reads all and stores nothing', async () => {
    const board_id = await board()
    const answer = await world.call('submit_test_report', { board_id, preview: true, files: file(junit(passed('a'))) })
    expect([answer.status, answer.body]).toMatchObject([200, { id: null, passed: 1, outcome: 'passed' }])
    expect(await world.ok('list_test_reports', { board_id })).toEqual([])
  })

  test('arguments stand in the query or beside files', async () => {
    const board_id = await board()
    const scene = { board_id, name: 'unit', attempt: 3, pull_request: 12, run_url: 'https://ci.example/1' }
    const address = `${world.running.url}/api/v1/boards/${board_id}/test-reports`
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...scene, files: file(junit(passed('a'))), commit: null }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      201,
      { name: 'unit', attempt: 3, pull_request: 12, run_url: 'https://ci.example/1', commit: null },
    ])
  })

  test('for names cards and specs of the board, and lists find by them', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const card_id = await scene.smallChange()
    const spec_id = await scene.spec('approved')
    const { ref } = await world.ok('get_card', { card_id })
    const { id } = await world.ok('submit_test_report', {
      board_id,
      for: `${ref},${spec_id}`,
      files: file(junit(passed('a'))),
    })
    for (const filter of [{ card_id }, { spec_id }])
      expect(
        (await world.ok('list_test_reports', { board_id, ...filter })).map((found: { id: string }) => found.id),
      ).toEqual([id])
    const unknown = await world.call('submit_test_report', { board_id, for: 'XX-1', files: file(junit(passed('b'))) })
    expect([unknown.status, unknown.body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'for' }])
    await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: spec_id })
    const archived = await world.call('submit_test_report', { board_id, for: spec_id, files: file(junit(passed('c'))) })
    expect([archived.status, archived.body.detail.error]).toEqual([409, 'ARCHIVED'])
  })

  test('those that test scenarios of a spec are found by it, each once', async () => {
    const scene = await Scene.on(world)
    const board_id = scene.boardId
    const spec_id = await scene.specWithScenarios(1, 'approved')
    await world.ok('set_scenario_tests', { spec_id, scenario_id: 's1', tests: ['a'] })
    const first = await world.ok('submit_test_report', { board_id, files: file(junit(passed('a'))) })
    await world.ok('submit_test_report', { board_id, files: file(junit(passed('b'))) })
    const both = { board_id, for: spec_id, name: 'both', files: file(junit(passed('a'))) }
    const second = await world.ok('submit_test_report', both)
    const found = await world.ok('list_test_reports', { board_id, spec_id })
    expect(found.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
  })

  test('a repository is meant by id or name, the only one where none is said', async () => {
    const board_id = await board()
    const { id } = await world.ok('create_repository', { board_id, url: 'https://github.com/acme/shop' })
    const one = await world.ok('submit_test_report', { board_id, commit, files: file(junit(passed('a'))) })
    expect([one.repository_id, one.repository]).toEqual([id, 'shop'])
    await world.ok('create_repository', { board_id, url: 'https://github.com/acme/docs' })
    const none = await world.ok('submit_test_report', { board_id, commit, files: file(junit(passed('b'))) })
    expect(none.repository_id).toBeNull()
    const named = await world.ok('submit_test_report', {
      board_id,
      commit,
      repository_id: 'docs',
      files: file(junit(passed('c'))),
    })
    expect(named.repository).toBe('docs')
    const { status } = await world.call('submit_test_report', {
      board_id,
      repository_id: 'x',
      files: file(junit(passed('d'))),
    })
    expect(status).toBe(400)
    expect(await world.ok('list_test_reports', { board_id, commit: 'aaaaaaa', repository_id: id })).toEqual([
      { ...one, mapping: undefined },
    ])
    await world.ok('delete_repository', { repository_id: id })
    expect((await world.ok('get_test_report', { report_id: one.id })).repository_id).toBeNull()
  })
})

describe('refusals', () => {
  test.each<[string, string, string]>([
    ['a document type', '<!DOCTYPE r [<!ENTITY x "y">]><testsuite/>', 'doctype'],
    ['a document type inside the root', '<testsuite><!DOCTYPE r [<!ENTITY x "y">]></testsuite>', 'doctype'],
    ['a document type behind the root', '<testsuite/><!DOCTYPE r>', 'doctype'],
    ['half a file', '<testsuites><testsuite name="web"><testcase name="a"/>', 'cut'],
    ['a plan that is not met', 'TAP version 14\n1..12\nok 1 - a\n', 'cut'],
    ['JSON that ends early', '{"reportFormat":"CTRF","results":{"tests":[{"na', 'cut'],
    ['what is no report', 'hello world', 'unknown_format'],
    ['an empty file', '', 'unknown_format'],
    ['a page', '<html><body/></html>', 'unknown_format'],
    ['two attributes of one name', '<testsuite name="a" name="b"/>', 'malformed'],
    ['many levels', `${'<testsuite>'.repeat(70)}${'</testsuite>'.repeat(70)}`, 'too_deep'],
    ['many levels of TAP', `${' '.repeat(40)}ok 1 - a\n${' '.repeat(40)}1..1\n`, 'too_deep'],
  ])('%s', async (_, text, reason) => {
    const board_id = await board()
    const files = [
      { name: 'good.xml', text: junit(passed('a')) },
      { name: 'bad', text },
    ]
    const { status, body } = await world.call('submit_test_report', { board_id, files })
    expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', entry: 'bad', reason }])
    expect(await world.ok('list_test_reports', { board_id })).toEqual([])
  })

  test('a file that unpacks to far more than it is, and a text that is too long', async () => {
    const board_id = await board()
    const bomb = await send(board_id, formOf(new File([gzipSync(Buffer.alloc(20 << 20))], 'bomb.xml.gz')))
    expect([bomb.status, bomb.body.detail]).toMatchObject([400, { entry: 'bomb.xml.gz', reason: 'ratio' }])
    const long = `<testsuite><testcase name="a"><failure>${'x'.repeat((1 << 20) + 1)}</failure></testcase></testsuite>`
    const { status, body } = await world.call('submit_test_report', { board_id, files: file(long) })
    expect([status, body.detail]).toMatchObject([413, { error: 'PAYLOAD_TOO_LARGE', max_bytes: 1 << 20 }])
    const output = `<testsuite><testcase name="a"/><system-out>${'x'.repeat((1 << 20) + 1)}</system-out></testsuite>`
    expect((await world.call('submit_test_report', { board_id, files: file(output) })).status).toBe(201)
    const body8 = await send(board_id, formOf(new File([Buffer.alloc(9 << 20)], 'large.xml')))
    expect([body8.status, body8.body.detail.max_bytes]).toEqual([413, 8 << 20])
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['a short commit', { commit: 'abc' }],
    ['capitals in a commit', { commit: 'A'.repeat(40) }],
    ['no files', { files: [] }],
    ['both forms', { files: [{ name: 'a', text: 'x', content_base64: 'eA==' }] }],
    ['neither form', { files: [{ name: 'a' }] }],
    ['no base64', { files: [{ name: 'a', content_base64: '!' }] }],
    ['attempt 0', { attempt: 0 }],
    ['another scheme', { run_url: 'ftp://x' }],
    ['an unknown format', { format: 'trx' }],
    ['too many records', { for: Array.from({ length: 51 }, (_, at) => `A-${at + 1}`).join() }],
  ])('%s is 422', async (_, fields) => {
    const report = { board_id: await board(), files: file(junit(passed('a'))), ...fields }
    expect((await world.call('submit_test_report', report)).status).toBe(422)
  })

  test('a form without a part named file is 422, before the board is looked for', async () => {
    const form = new FormData()
    form.set('other', 'x')
    expect((await send('no-board', form)).status).toBe(422)
    expect((await send('no-board', formOf(new File([junit(passed('a'))], 'a.xml')))).status).toBe(404)
  })

  test('texts are shown with what cannot be seen spelled out, and keys masked (evidence 2, rule 8)', async () => {
    const board_id = await board()
    const name = `bidi \u202e and ${world.owner.key}`
    const text = junit(`<testcase name="${name}"><failure message="&#27;[31mred"/></testcase>`)
    const { id } = await world.ok('submit_test_report', { board_id, files: file(text) })
    const [found] = await world.ok('list_test_cases', { report_id: id })
    expect(found.name).toBe(`bidi \\u202e and ${world.owner.key.slice(0, 13)}…`)
    expect(found.message).toBe('[31mred')
  })
})

test('a form from a key that may send no reports is refused for that, whatever it holds (evidence 2, rule 10)', async () => {
  const board_id = await board()
  const limited = await world.agent({ permission_flags: { REPORTS_SUBMIT: false } })
  await world.ok('grant_board_access', { agent_id: limited.id, board_id })
  const texts = [junit(passed('a')), 'no report', 'x'.repeat(100 << 10)]
  for (const text of texts) {
    const { status, body } = await send(board_id, formOf(new File([text], 'r.xml')), {}, limited)
    expect([status, body.detail]).toMatchObject([403, { error: 'FORBIDDEN', permission: 'REPORTS_SUBMIT' }])
  }
  const form = () => formOf(new File([texts[0]!], 'r.xml'))
  expect((await send('nowhere', form(), {}, limited)).status).toBe(404)
  expect((await send(board_id, form(), { commit: 'x' }, limited)).status).toBe(422)
  expect((await send(board_id, new FormData(), {}, limited)).status).toBe(422)
})

describe('agents of kind ci (evidence 6)', () => {
  test('have exactly their base, and neither preset nor flags', async () => {
    const ci = await world.ok('create_agent', { name: 'Pipeline', kind: 'ci' })
    expect(ci).toMatchObject({ kind: 'ci', preset_id: null, preset_name: 'CI', permission_flags: null })
    expect(ci.permissions).toEqual(
      [
        'BOARDS_READ',
        'CARDS_READ',
        'CHANGES_READ',
        'CHANGES_RECORD',
        'REPORTS_READ',
        'REPORTS_SUBMIT',
        'REPOSITORIES_READ',
        'SPECS_READ',
      ].toSorted(),
    )
    for (const rights of [{ preset_id: 'Executor' }, { permission_flags: { CARDS_MOVE: true } }]) {
      const created = await world.call('create_agent', { name: 'x', kind: 'ci', ...rights })
      const changed = await world.call('update_agent', { agent_id: ci.id, ...rights })
      expect([created.status, changed.status]).toEqual([400, 400])
    }
    const scene = await Scene.on(world)
    const card_id = await scene.smallChange()
    await world.ok('grant_board_access', { agent_id: ci.id, board_id: scene.boardId })
    const as = { id: ci.id, key: ci.api_key, client: world.owner.client }
    expect((await world.call('claim_card', { card_id }, { as })).status).toBe(403)
    expect((await world.call('get_card', { card_id }, { as })).status).toBe(200)
  })

  test('are made, and given a new key, with AGENTS_CREATE_CI alone', async () => {
    const limited = await world.agent({ permission_flags: { AGENTS_CREATE_CI: false } })
    const refusal = await world.call('create_agent', { name: 'x', kind: 'ci' }, { as: limited })
    expect([refusal.status, refusal.body.detail.permission]).toEqual([403, 'AGENTS_CREATE_CI'])
    const { id } = await world.ok('create_agent', { name: 'x', kind: 'ci' })
    const maker = await world.agent()
    const own = await world.ok('create_agent', { name: 'y', kind: 'ci' }, { as: maker })
    await world.ok('update_agent', { agent_id: maker.id, permission_flags: { AGENTS_CREATE_CI: false } })
    const renewed = await world.call('regenerate_agent_key', { agent_id: own.id }, { as: maker })
    expect([renewed.status, renewed.body.detail.permission]).toEqual([403, 'AGENTS_CREATE_CI'])
    expect((await world.call('regenerate_agent_key', { agent_id: id })).status).toBe(200)
  })
})

testOnSqlite('a start removes the cases of a report that a crash cut short, and no others (evidence 2)', async () => {
  const board_id = await board()
  const { id } = await world.ok('submit_test_report', { board_id, files: file(junit(passed('logs in'))) })
  const abandoned = `01000000-0000-7000-8000-${id.slice(-12)}`
  // One that another node is storing now.
  const arriving = `${id.slice(0, 19)}ffff-${id.slice(24)}`
  let counted: (report: string) => number = () => 0
  world = await world.restart(
    {},
    {
      whileStopped: () => {
        const connection = new SqliteDatabase(join(world.folder, 'specboard.db')).unsafeMode()
        const columns = 'position, board_id, rank, address, name, status, is_flaky, refs, is_named'
        for (const other of [abandoned, arriving])
          connection.exec(
            `insert into test_cases (report_id, ${columns}) select '${other}', ${columns} from test_cases where report_id = '${id}'`,
          )
        const count = connection.prepare('select count(*) as count from test_cases where report_id = ?')
        counted = report => (count.get(report) as { count: number }).count
        return Promise.resolve()
      },
    },
  )
  await expect.poll(() => counted(abandoned)).toBe(0)
  expect([counted(id), counted(arriving)]).toEqual([1, 1])
})
