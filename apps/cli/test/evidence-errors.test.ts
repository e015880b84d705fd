import type { OperationName } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from './support/forge.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

/** What the refused calls are about. */
interface Known {
  readonly board_id: string
  readonly other_board: string
  readonly card_id: string
  readonly ref: string
  readonly archived_card: string
  readonly archived_ref: string
  readonly other_ref: string
  readonly other_card: string
  readonly spec_id: string
  readonly repository_id: string
  readonly other_repository: string
  readonly change_id: string
  readonly ended_run: string
  readonly running: string
  readonly delivery_id: string
  readonly stranger: TestAgent
}

let world: World
let wire: McpWire
let fixture: Known

const sha = 'a'.repeat(40)
const nobody = '01a00000-0000-7000-8000-000000000000'
const tap = (text: string) => [{ name: 'unit.tap', text }]
const files = tap('TAP version 14\nok 1 - adds\n1..1\n')
const url = 'https://github.com/acme/shop'

beforeAll(async () => {
  world = await World.start()
  wire = new McpWire(world)
  const [scene, other] = [await Scene.on(world), await Scene.on(world)]
  const { boardId: board_id } = scene
  const refOf = async (card_id: string) => (await world.ok('get_card', { card_id })).ref as string
  const [card_id, other_card] = [await scene.card(), await other.card()]
  const going = await scene.spec('in_progress')
  const archived_card = await scene.card({ spec_id: going })
  const [ref, archived_ref] = [await refOf(card_id), await refOf(archived_card)]
  await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: going })
  const shop = await world.ok('create_repository', { board_id, url, webhook_secret: forgeSecret })
  const elsewhere = await world.ok('create_repository', { board_id: other.boardId, url, name: 'elsewhere' })
  await sendEvent(world, shop.id, {
    event: 'push',
    payload: {
      ref: 'refs/heads/work',
      before: '0'.repeat(40),
      after: sha,
      commits: [
        { id: sha, message: ref, timestamp: '2026-11-20T08:20:05Z', author: { name: 'Mo', email: 'mo@acme.example' } },
      ],
      head_commit: { id: sha },
      repository: { full_name: 'acme/shop', default_branch: 'main' },
    },
  })
  await settled(world, shop.id)
  const [change] = await world.ok('list_changes', { board_id })
  const [delivery] = await world.ok('list_forge_deliveries', { repository_id: shop.id })
  const begin = async () => (await world.ok('begin_proof_run', { board_id, for: [ref], command: 'test' })).id as string
  const [ended_run, running] = [await begin(), await begin()]
  await world.ok('finish_proof_run', { run_id: ended_run, exit_code: 0 })
  const stranger = await world.agent()
  await scene.admit(stranger)
  fixture = {
    board_id,
    other_board: other.boardId,
    card_id,
    ref,
    archived_card,
    archived_ref,
    other_ref: await refOf(other_card),
    other_card,
    spec_id: await scene.specWithScenarios(),
    repository_id: shop.id,
    other_repository: elsewhere.id,
    change_id: change.id,
    ended_run,
    running,
    delivery_id: delivery.id,
    stranger,
  }
  await world.ok('submit_test_report', { board_id, ci_run: '1', files })
})

afterAll(() => world.stop())

type Refusal = readonly [
  what: string,
  operation: OperationName,
  args: (fixture: Known) => Readonly<Record<string, unknown>>,
  status: number,
  detail?: object,
]

const many = <Each>(count: number, each: (index: number) => Each): Each[] =>
  Array.from({ length: count }, (_, index) => each(index))
const report = (more: object) => (k: Known) => ({ board_id: k.board_id, files, ...more })
const run = (more: object) => (k: Known) => ({ board_id: k.board_id, for: [k.ref], command: 'test', ...more })
const end = (more: object) => (k: Known) => ({ run_id: k.running, exit_code: 0, ...more })
const tests = (list: readonly string[]) => (k: Known) => ({ spec_id: k.spec_id, scenario_id: 's1', tests: list })
const waiver = (more: object) => (k: Known) => ({
  card_id: k.card_id,
  gates: ['proof'],
  reason: 'It has no code.',
  ...more,
})
const repository = (more: object) => (k: Known) => ({
  board_id: k.board_id,
  url: 'https://github.com/acme/other',
  ...more,
})
const changes = (more: object) => (k: Known) => ({ board_id: k.board_id, repository_id: k.repository_id, ...more })
const invalid = { error: 'VALIDATION_ERROR' }
const unreadable = (reason: string) => ({ ...invalid, entry: 'unit.tap', reason })

const evidence: readonly Refusal[] = [
  ['no file', 'submit_test_report', report({ files: [] }), 422],
  ['a commit in capitals', 'submit_test_report', report({ commit: sha.toUpperCase() }), 422],
  ['a commit of 39 digits', 'submit_test_report', report({ commit: sha.slice(1) }), 422],
  ['pull request 0', 'submit_test_report', report({ pull_request: 0 }), 422],
  ['attempt 1,001', 'submit_test_report', report({ attempt: 1_001 }), 422],
  ['a run at ftp', 'submit_test_report', report({ run_url: 'ftp://ci.example' }), 422],
  ['an unknown format', 'submit_test_report', report({ format: 'xunit' }), 422],
  ['51 records', 'submit_test_report', k => report({ for: many(51, () => k.ref).join(',') })(k), 422],
  ['an unknown repository', 'submit_test_report', report({ repository_id: 'nowhere' }), 400, invalid],
  [
    'a repository of another board',
    'submit_test_report',
    k => report({ repository_id: k.other_repository })(k),
    400,
    invalid,
  ],
  ['a record of another board', 'submit_test_report', k => report({ for: k.other_ref })(k), 400, invalid],
  ['an archived record', 'submit_test_report', k => report({ for: k.archived_ref })(k), 409, { error: 'ARCHIVED' }],
  ['an unknown run', 'submit_test_report', report({ proof_run_id: nobody }), 400, invalid],
  [
    'an ended run',
    'submit_test_report',
    k => report({ proof_run_id: k.ended_run })(k),
    409,
    { error: 'INVALID_STATE', status: 'passed' },
  ],
  ['an empty file', 'submit_test_report', report({ files: tap('') }), 400, unreadable('unknown_format')],
  ['no report', 'submit_test_report', report({ files: tap('hello') }), 400, unreadable('unknown_format')],
  ['a cut file', 'submit_test_report', report({ files: tap('1..2\nok 1 - adds\n') }), 400, unreadable('cut')],
  [
    'a file with a doctype',
    'submit_test_report',
    report({ files: tap('<!DOCTYPE a><testsuite/>') }),
    400,
    unreadable('doctype'),
  ],
  [
    'XML that is not well formed',
    'submit_test_report',
    report({ files: tap('<testsuite><testcase></testsuite>') }),
    400,
    unreadable('malformed'),
  ],
  [
    'other content',
    'submit_test_report',
    report({ ci_run: '1', files: tap('not ok 1 - adds\n1..1\n') }),
    409,
    { error: 'REPORT_EXISTS' },
  ],
  ['6 digits of a commit', 'list_test_reports', k => ({ board_id: k.board_id, commit: 'abcdef' }), 422],
  ['an unknown tier', 'list_test_reports', k => ({ board_id: k.board_id, tier: 'sworn' }), 422],
  ['a board that is none', 'list_test_reports', () => ({ board_id: nobody }), 404],
  ['an unknown report', 'get_test_report', () => ({ report_id: nobody }), 404],
  ['the tests of an unknown report', 'list_test_cases', () => ({ report_id: nobody }), 404],
  ['51 patterns', 'set_scenario_tests', tests(many(51, index => `t${index}`)), 422],
  ['a pattern of 501 characters', 'set_scenario_tests', tests(['x'.repeat(501)]), 422],
  ['nine wildcards', 'set_scenario_tests', tests(['* '.repeat(9)]), 422],
  ['an unknown scenario', 'set_scenario_tests', k => ({ spec_id: k.spec_id, scenario_id: 's9', tests: [] }), 404],
  ['a run for nothing', 'begin_proof_run', run({ for: [] }), 422],
  ['a run for 51', 'begin_proof_run', run({ for: many(51, () => 'SPE-1') }), 422],
  ['a run for something unknown', 'begin_proof_run', run({ for: ['SPE-99999'] }), 400, invalid],
  ['a run for an unknown scenario', 'begin_proof_run', k => run({ for: [`${k.ref}/s9`] })(k), 400, invalid],
  ['a run for another board', 'begin_proof_run', k => run({ for: [k.other_ref] })(k), 400, invalid],
  ['a run for what is archived', 'begin_proof_run', k => run({ for: [k.archived_ref] })(k), 409, { error: 'ARCHIVED' }],
  ['a command of 2,001 characters', 'begin_proof_run', run({ command: 'x'.repeat(2_001) }), 422],
  ['a host of 101 characters', 'begin_proof_run', run({ host: 'x'.repeat(101) }), 422],
  ['a run of an unknown repository', 'begin_proof_run', run({ repository_id: 'nowhere' }), 400, invalid],
  ['exit code 256', 'finish_proof_run', end({ exit_code: 256 }), 422],
  ['8,193 characters of output', 'finish_proof_run', end({ output_tail: 'x'.repeat(8_193) }), 422],
  ['a hash that is none', 'finish_proof_run', end({ output_sha256: 'x'.repeat(64) }), 422],
  ['a run longer than time has passed', 'finish_proof_run', end({ duration_ms: 86_400_000 }), 400, invalid],
  ['an unknown run to finish', 'finish_proof_run', () => ({ run_id: nobody, exit_code: 0 }), 404],
  [
    'an ended run to finish',
    'finish_proof_run',
    k => ({ run_id: k.ended_run, exit_code: 0 }),
    409,
    { error: 'INVALID_STATE', status: 'passed' },
  ],
  ['proof of a board', 'get_proof', k => ({ entity_type: 'board', entity_id: k.board_id }), 400, invalid],
  ['proof of an unknown card', 'get_proof', () => ({ entity_type: 'card', entity_id: nobody }), 404],
  ['a waiver without a reason', 'set_card_waiver', waiver({ reason: undefined }), 422],
  ['a reason of 9 characters', 'set_card_waiver', waiver({ reason: 'x'.repeat(9) }), 422],
  ['an unknown gate', 'set_card_waiver', waiver({ gates: ['coverage'] }), 422],
  [
    'a waiver of an archived card',
    'set_card_waiver',
    k => waiver({ card_id: k.archived_card })(k),
    409,
    { error: 'ARCHIVED' },
  ],
  ['a waiver of an unknown card', 'set_card_waiver', waiver({ card_id: nobody }), 404],
  ['a CI agent with a preset', 'create_agent', () => ({ name: 'CI', kind: 'ci', preset_id: 'executor' }), 400, invalid],
  [
    'a CI agent with flags',
    'create_agent',
    () => ({ name: 'CI', kind: 'ci', permission_flags: { CARDS_MOVE: true } }),
    400,
    invalid,
  ],
]

const git: readonly Refusal[] = [
  [
    'a token in the address',
    'create_repository',
    repository({ url: 'https://x-access-token:ghs_abc@github.com/acme/shop' }),
    400,
    invalid,
  ],
  [
    'an address of no known form',
    'create_repository',
    repository({ url: 'ftp://git.example/acme/shop' }),
    400,
    invalid,
  ],
  [
    'an unknown host without its forge',
    'create_repository',
    repository({ url: 'https://git.example/acme/shop' }),
    400,
    invalid,
  ],
  [
    'a folder with a forge',
    'create_repository',
    repository({ url: 'file:///srv/shop.git', forge: 'gitea' }),
    400,
    invalid,
  ],
  ['a folder above', 'create_repository', repository({ path_prefix: '../shop' }), 422],
  ['a folder of the root', 'create_repository', repository({ path_prefix: '/shop' }), 422],
  ['a secret of 15 characters', 'create_repository', repository({ webhook_secret: 'x'.repeat(15) }), 422],
  ['an unknown place of references', 'create_repository', repository({ recognise: ['tag'] }), 422],
  ['signatures of GitHub alone', 'create_repository', repository({ require_signature: true }), 400, invalid],
  ['51 required checks', 'create_repository', repository({ required_checks: many(51, index => `c${index}`) }), 422],
  ['a name that is taken', 'create_repository', repository({ name: 'SHOP' }), 409, { error: 'REPOSITORY_EXISTS' }],
  ['an issuer over http', 'create_repository', repository({ ci: { issuer: 'http://ci.example' } }), 400, invalid],
  [
    'an overlap of 169 hours',
    'rotate_repository_secret',
    k => ({ repository_id: k.repository_id, overlap_hours: 169 }),
    422,
  ],
  ['an unknown repository', 'get_repository', () => ({ repository_id: nobody }), 404],
  ['an unknown delivery', 'retry_forge_delivery', k => ({ repository_id: k.repository_id, delivery_id: nobody }), 404],
  [
    'a delivery that is done',
    'retry_forge_delivery',
    k => ({ repository_id: k.repository_id, delivery_id: k.delivery_id }),
    409,
    { error: 'INVALID_STATE', status: 'done' },
  ],
  [
    '501 commits',
    'record_changes',
    changes({ commits: many(501, index => ({ sha: index.toString(16).padStart(40, '0') })) }),
    422,
  ],
  ['a sha in capitals', 'record_changes', changes({ commits: [{ sha: sha.toUpperCase(), subject: 'x' }] }), 422],
  ['changes of an unknown repository', 'record_changes', changes({ repository_id: 'nowhere' }), 400, invalid],
  ['changes of another board', 'record_changes', k => changes({ repository_id: k.other_repository })(k), 400, invalid],
  ['6 digits of a sha', 'list_changes', k => ({ board_id: k.board_id, sha: 'abcdef' }), 422],
  ['an unknown state', 'list_changes', k => ({ board_id: k.board_id, state: 'lost' }), 422],
  ['an unknown change', 'get_change', () => ({ change_id: nobody }), 404],
  [
    'a link to an agent',
    'link_change',
    k => ({ change_id: k.change_id, entity_type: 'agent', entity_id: k.card_id }),
    400,
    invalid,
  ],
  [
    'a link to an unknown card',
    'link_change',
    k => ({ change_id: k.change_id, entity_type: 'card', entity_id: nobody }),
    404,
  ],
  [
    'a link to another board',
    'link_change',
    k => ({ change_id: k.change_id, entity_type: 'card', entity_id: k.other_card }),
    404,
  ],
  [
    'a link to an archived card',
    'link_change',
    k => ({ change_id: k.change_id, entity_type: 'card', entity_id: k.archived_card }),
    409,
    { error: 'ARCHIVED' },
  ],
  [
    'an unlinking of an unknown change',
    'unlink_change',
    k => ({ change_id: nobody, entity_type: 'card', entity_id: k.card_id }),
    404,
  ],
  [
    'an author of an unknown agent',
    'put_authors',
    k => ({ board_id: k.board_id, authors: [{ email: 'a@b.example', agent_id: nobody }] }),
    400,
    invalid,
  ],
  [
    'an author without a name',
    'put_authors',
    k => ({ board_id: k.board_id, authors: [{ agent_id: k.stranger.id }] }),
    400,
    invalid,
  ],
]

/** The field that a refusal of a form names first. */
const fieldOf = ([first]: readonly { readonly loc: readonly unknown[] }[]) =>
  first?.loc.filter(part => part !== 'body' && part !== 'query').join('.')

describe.each([
  ['evidence', evidence],
  ['git', git],
] as const)('what %s refuses, it refuses alike over HTTP and MCP', (_, refusals) => {
  const each = refusals.map(
    ([what, operation, args, status, detail = {}]) => [what, operation, args, status, detail] as const,
  )
  test.each(each)('%s: %s', async (_what, operation, args, status, detail) => {
    const input = args(fixture)
    const answer = await world.call(operation, input)
    expect([answer.status, answer.body]).toEqual([status, expect.anything()])
    const toolAnswer = await wire.tool(operation, input)
    expect(toolAnswer.isError).toBe(true)
    const details = [answer.body.detail, toolAnswer.value.detail]
    if (status === 422) expect(details.map(fieldOf)).toEqual([expect.any(String), fieldOf(answer.body.detail)])
    else for (const each of details) expect(each).toMatchObject({ error: answer.body.detail.error, ...detail })
  })
})

test('another agent’s run is unknown to finish, and not one to bind a report to (evidence 5, rule 1)', async () => {
  const { board_id, running, stranger } = fixture
  expect(await world.call('finish_proof_run', { run_id: running, exit_code: 0 }, { as: stranger })).toMatchObject({
    status: 404,
  })
  const bound = await world.call('submit_test_report', { board_id, files, proof_run_id: running }, { as: stranger })
  expect(bound).toMatchObject({ status: 400, body: { detail: { error: 'VALIDATION_ERROR' } } })
})
