/** exchange_ci_token: the token of a CI job for the session of its run (evidence 6.2). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CiIssuer, type Forged } from './support/ci-issuer.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, type TestAnswer, World } from './support/world.ts'

const sha = 'a'.repeat(40)
const tap = 'TAP version 14\nok 1 - adds\n1..1\n'

let world: World
let issuer: CiIssuer
let scene: Scene
let repository: TestAnswer['body']

const audience = () => `specboard:${scene.boardId}`

beforeAll(async () => {
  world = await World.start()
  issuer = await CiIssuer.start()
})

afterAll(async () => {
  await issuer.stop()
  await world.stop()
})

beforeEach(async () => {
  scene = await Scene.on(world)
  repository = await trusting()
})

/** A repository of the board that trusts the issuer. */
const trusting = (ci: Readonly<Record<string, unknown>> = {}, name = 'shop') =>
  world.ok('create_repository', {
    board_id: scene.boardId,
    name,
    url: 'https://github.com/acme/shop.git',
    ci: { issuer: issuer.issuer, ...ci },
  })

const exchange = async (forged: Forged = {}, body: Readonly<Record<string, unknown>> = {}) =>
  world.call('exchange_ci_token', { token: await issuer.token(audience(), forged), ...body }, { as: null })

/** The session of a run, as a caller. */
async function session(forged: Forged = {}): Promise<TestAgent & Pick<TestAnswer, 'body'>> {
  const { status, body } = await exchange(forged)
  expect(body).toMatchObject({ token: expect.stringMatching(/^dashci_[0-9a-f]{48}$/) })
  expect(status).toBe(201)
  return { id: `ci:${body.repository_id}`, key: body.token, client: world.owner.client, body }
}

const report = (more: Readonly<Record<string, unknown>> = {}) => ({
  board_id: scene.boardId,
  files: [{ name: 'unit.tap', text: tap }],
  ...more,
})

describe('a trust', () => {
  test('follows from the repository where nothing else is said', async () => {
    expect(repository.ci).toEqual({
      issuer: issuer.issuer,
      audience: audience(),
      subject: 'acme/shop',
      trusted_refs: ['refs/heads/main', 'refs/heads/gh-readonly-queue/main/**'],
      trusted_workflows: [],
      trusted_events: ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch'],
      environments: [],
      pinned_id: null,
      set_by: world.owner.id,
      set_at: repository.created_at,
    })
  })

  test.each([
    ['ftp://example.com', 'https address'],
    ['http://10.0.0.1', 'SPECBOARD_OIDC_ALLOWED_HOSTS'],
    ['https://user:password@example.com', 'https address'],
    ['no address', 'https address'],
  ])('is refused for the issuer %s', async (address, message) => {
    const { status, body } = await world.call('update_repository', {
      repository_id: repository.id,
      ci: { issuer: address },
    })
    expect(status).toBe(400)
    expect(body.detail).toMatchObject({ field: 'ci.issuer', message: expect.stringContaining(message) })
  })

  test('that is set is told, and one that is taken back ends the sessions that came by it', async () => {
    const ci = await session()
    await world.ok('update_repository', { repository_id: repository.id, ci: null })
    expect((await world.ok('get_repository', { repository_id: repository.id })).ci).toBeNull()
    expect((await world.call('get_test_report', { report_id: 'x' }, { as: ci })).status).toBe(401)
    expect((await exchange()).status).toBe(401)
    const { events } = await world.ok('list_board_events', { board_id: scene.boardId, action: ['ci_trust_set'] })
    expect(events.map(({ details }: TestAnswer['body']) => details.issuer)).toEqual([issuer.issuer, null])
  })
})

describe('a token', () => {
  test('becomes a session of its run', async () => {
    const { status, body } = await exchange()
    expect(status).toBe(201)
    expect(body).toEqual({
      token: expect.stringMatching(/^dashci_[0-9a-f]{48}$/),
      expires_at: expect.any(String),
      board_id: scene.boardId,
      board_key: expect.any(String),
      repository_id: repository.id,
      repository: 'shop',
      commit: sha,
      ref: 'refs/heads/main',
      event: 'push',
      ci_run: '9001',
      attempt: 1,
      trusted: true,
      reason: null,
    })
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect((await world.ok('get_repository', { repository_id: repository.id })).ci.pinned_id).toBe('4711')
  })

  test('of GitLab has words of its own', async () => {
    const claims = {
      repository: undefined,
      project_path: 'acme/shop',
      project_id: '77',
      ref: 'main',
      ref_type: 'branch',
      event_name: undefined,
      pipeline_source: 'push',
      run_id: undefined,
      pipeline_id: '12',
    }
    expect((await session({ claims })).body).toMatchObject({ ref: 'refs/heads/main', ci_run: '12', trusted: true })
  })

  const second = Math.floor(Date.now() / 1_000)
  test.each<[string, Forged]>([
    ['without a signature of the issuer', { foreignKey: true }],
    ['of another audience', { claims: { aud: 'specboard:other' } }],
    ['that has ended', { claims: { iat: second - 900, exp: second - 600 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a beginning', { claims: { iat: undefined } }],
    ['from the future', { claims: { iat: second + 600, exp: second + 900 } }],
    ['that lives for days', { claims: { exp: second + 172_800 } }],
    ['of an unknown issuer', { claims: { iss: 'https://ci.example.com' } }],
    ['of an issuer with another end', { claims: { iss: 'http://127.0.0.1' } }],
  ])('%s is 401', async (_, forged) => {
    const { status, body } = await exchange(forged)
    expect([status, body.detail.error]).toEqual([401, 'UNAUTHORIZED'])
    expect(body.detail.message).toMatch(/^No repository here accepts this token/)
  })

  test.each(['none', 'HS256'])('signed by %s is 401', async alg => {
    const [, payload] = (await issuer.token(audience())).split('.')
    const head = Buffer.from(JSON.stringify({ alg, kid: 'first' })).toString('base64url')
    const token = `${head}.${payload}.${alg === 'none' ? '' : 'c2ln'}`
    expect((await world.call('exchange_ci_token', { token }, { as: null })).status).toBe(401)
  })

  test('that is no token is 401, and one that is too long 422', async () => {
    expect((await world.call('exchange_ci_token', { token: 'x' }, { as: null })).status).toBe(401)
    expect((await world.call('exchange_ci_token', { token: 'x'.repeat(16_385) }, { as: null })).status).toBe(422)
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['repository', { repository: 'acme/other' }],
    ['repository', { repository: 'Acme/shop' }],
    ['environment', {}],
  ])('with another %s is 403, and stands in the audit', async (reason, claims) => {
    if (reason === 'environment')
      await world.ok('update_repository', {
        repository_id: repository.id,
        ci: { issuer: issuer.issuer, environments: ['production'] },
      })
    const { status, body } = await exchange({ claims })
    expect([status, body.detail.error, body.detail.reason]).toEqual([403, 'FORBIDDEN', reason])
    const [entry] = await world.ok('list_audit', { action: 'ci_refused', target_id: repository.id })
    expect(entry).toMatchObject({ details: { reason } })
  })

  test('of a name that somebody else took is 403, until the trust is set again', async () => {
    await session()
    const claims = { repository_id: '9999' }
    expect((await exchange({ claims })).body.detail).toMatchObject({ error: 'FORBIDDEN', reason: 'repository_id' })
    await world.ok('update_repository', { repository_id: repository.id, ci: { issuer: issuer.issuer } })
    await session({ claims })
  })

  test('that several boards take needs the board, by id or key', async () => {
    const shared = { audience: 'specboard' }
    await world.ok('update_repository', { repository_id: repository.id, ci: { issuer: issuer.issuer, ...shared } })
    const first = scene.boardId
    scene = await Scene.on(world)
    await trusting(shared)
    const claims = { aud: 'specboard' }
    const { status, body } = await exchange({ claims })
    expect([status, body.detail.field]).toEqual([400, 'board_id'])
    expect(body.detail.boards.map(({ id }: { id: string }) => id).toSorted()).toEqual([first, scene.boardId].toSorted())
    for (const { id, key } of body.detail.boards)
      for (const board_id of [id, key, key.toLowerCase()])
        expect((await exchange({ claims }, { board_id })).body.board_id).toBe(id)
  })

  test('is taken with a key that the issuer has just begun to use', async () => {
    const own = await CiIssuer.start()
    try {
      const { id } = await trusting({ issuer: own.issuer }, 'other')
      const take = async () => world.call('exchange_ci_token', { token: await own.token(audience()) }, { as: null })
      expect((await take()).body.repository_id).toBe(id)
      await own.renew()
      // The issuer's keys were fetched just now: an unknown key causes another fetch at most every 30 s.
      expect((await take()).status).toBe(401)
      expect(own.asked).toBe(1)
    } finally {
      await own.stop()
    }
  })

  test('is 503 where its issuer is away', async () => {
    const own = await CiIssuer.start()
    await trusting({ issuer: own.issuer }, 'other')
    own.failsWith = 500
    const token = await own.token(audience())
    const { status, body, headers } = await world.call('exchange_ci_token', { token }, { as: null })
    await own.stop()
    expect([status, body.detail.error]).toEqual([503, 'ISSUER_UNREACHABLE'])
    expect(headers.get('retry-after')).toBe('30')
  })
})

test('an issuer whose keys are in a file is never asked', async () => {
  const own = await CiIssuer.start()
  const oidcJwksFile = join(world.folder, 'keys.json')
  writeFileSync(oidcJwksFile, JSON.stringify({ [own.issuer]: own.keys }))
  const sealed = await World.start({ oidcJwksFile })
  try {
    const there = await Scene.on(sealed)
    const ci = { issuer: own.issuer }
    await sealed.ok('create_repository', { board_id: there.boardId, url: 'https://github.com/acme/shop', ci })
    const token = await own.token(`specboard:${there.boardId}`)
    expect((await sealed.call('exchange_ci_token', { token }, { as: null })).status).toBe(201)
    writeFileSync(oidcJwksFile, 'half a file')
    expect((await sealed.call('exchange_ci_token', { token }, { as: null })).status).toBe(201)
    expect(own.asked).toBe(0)
    const { ci_issuers } = await sealed.ok('get_service_status')
    expect(ci_issuers).toEqual([{ issuer: own.issuer, source: 'file', age_s: expect.any(Number) }])
  } finally {
    await sealed.stop()
    await own.stop()
  }
})

describe('a session', () => {
  test('sends the reports of its run as ci, in the name of its repository', async () => {
    const testReport = await world.ok('submit_test_report', report(), { as: await session() })
    expect(testReport).toMatchObject({
      repository_id: repository.id,
      commit: sha,
      branch: 'main',
      ci_run: '9001',
      attempt: 1,
      tier: 'ci',
      tier_reason: 'ci_token',
      actor_type: 'ci',
      submitted_by: `ci:${repository.id}`,
      submitted_by_name: 'CI shop',
    })
    const { events } = await world.ok('list_board_events', { board_id: scene.boardId, action: ['report_submitted'] })
    expect(events[0]).toMatchObject({ actor_id: `ci:${repository.id}`, actor_type: 'ci', actor_via: 'ci' })
    const opened = await world.ok('list_audit', { action: 'ci_session_opened', target_id: repository.id })
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({ actor_type: 'ci', details: { repository: 'acme/shop', ci_run: '9001' } })
  })

  test('of a run that is not trusted sends what was observed, and says why', async () => {
    const branch = { ref: 'refs/heads/topic' }
    const untrusted = await session({ claims: branch })
    expect(untrusted.body).toMatchObject({ trusted: false, reason: 'ref_not_trusted' })
    const testReport = await world.ok('submit_test_report', report(), { as: untrusted })
    expect(testReport).toMatchObject({ tier: 'observed', tier_reason: 'ref_not_trusted', branch: 'topic' })
    const foreign = await session({ claims: { event_name: 'pull_request_target', run_id: '2' } })
    expect(foreign.body).toMatchObject({ trusted: false, reason: 'event_not_trusted' })
    await world.ok('update_repository', {
      repository_id: repository.id,
      ci: { issuer: issuer.issuer, trusted_workflows: ['acme/shop/.github/workflows/*@refs/heads/main'] },
    })
    expect((await session({ claims: branch })).body).toMatchObject({ trusted: true, reason: null })
  })

  test('takes commit, run and repository from its token', async () => {
    const ci = await session()
    const other = await trusting({}, 'other')
    for (const [field, value] of [
      ['commit', 'b'.repeat(40)],
      ['ci_run', '1'],
      ['attempt', 2],
      ['repository_id', other.id],
    ] as const) {
      const { status, body } = await world.call('submit_test_report', report({ [field]: value }), { as: ci })
      expect([status, body.detail.field], field).toEqual([400, field])
    }
    const same = { commit: sha, ci_run: '9001', repository_id: repository.id }
    expect((await world.call('submit_test_report', report(same), { as: ci })).status).toBe(201)
  })

  test('of a pull request sends the report of its head, verified only where the forge told it', async () => {
    const claims = { event_name: 'pull_request', ref: 'refs/pull/7/merge' }
    await world.ok('update_repository', {
      repository_id: repository.id,
      ci: { issuer: issuer.issuer, trusted_refs: ['refs/pull/**'] },
    })
    const head = 'c'.repeat(40)
    const testReport = await world.ok('submit_test_report', report({ commit: head }), { as: await session({ claims }) })
    expect(testReport).toMatchObject({
      commit: head,
      tested_commit: sha,
      pull_request: 7,
      tier: 'observed',
      tier_reason: 'commit_not_verified',
    })
  })

  test('begins and ends runs, tells commits, and reads its reports and proofs', async () => {
    const ci = await session()
    const spec_id = await scene.specWithScenarios()
    const { ref } = await world.ok('get_spec', { spec_id })
    const run = await world.ok('begin_proof_run', { board_id: scene.boardId, for: [ref], command: 'make' }, { as: ci })
    expect(run).toMatchObject({ commit: sha, tier: 'ci', tier_reason: 'ci_token' })
    await world.ok('finish_proof_run', { run_id: run.id, exit_code: 0 }, { as: ci })
    const { id } = await world.ok('submit_test_report', report(), { as: ci })
    await world.ok('get_test_report', { report_id: id }, { as: ci })
    await world.ok('list_test_cases', { report_id: id }, { as: ci })
    await world.ok('get_proof', { entity_type: 'spec', entity_id: ref }, { as: ci })
    const commits = [{ sha, subject: 'Add it' }]
    const changes = { board_id: scene.boardId, commits }
    await world.ok('record_changes', { ...changes, repository_id: 'shop' }, { as: ci })
    // Its repository is in its token.
    expect(await world.ok('record_changes', changes, { as: ci })).toMatchObject({ unchanged: 1 })
  })

  test('makes no other call, and opens neither /mcp nor a session of a browser', async () => {
    const ci = await session()
    const refused = { error: 'FORBIDDEN', reason: 'ci_session' }
    for (const [name, args] of [
      ['get_board', { board_id: scene.boardId }],
      ['list_test_reports', { board_id: scene.boardId }],
      ['create_card', { board_id: scene.boardId, title: 'x' }],
      ['get_my_permissions', {}],
    ] as const)
      expect((await world.call(name, args, { as: ci })).body.detail, name).toMatchObject(refused)
    const headers = { authorization: `Bearer ${ci.key}`, 'content-type': 'application/json' }
    const mcp = await fetch(`${world.running.url}/mcp`, { method: 'POST', headers, body: '{}' })
    expect([mcp.status, await mcp.text()]).toEqual([403, expect.stringContaining('ci_session')])
    const web = await fetch(`${world.running.url}/web/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.running.url },
      body: JSON.stringify({ key: ci.key }),
    })
    expect([web.status, await web.text()]).toEqual([403, expect.stringContaining('ci_session')])
  })

  test('sees its board alone', async () => {
    const ci = await session()
    const home = scene
    const { id } = await world.ok('submit_test_report', report(), { as: ci })
    scene = await Scene.on(world)
    const { body } = await world.call('submit_test_report', report(), { as: ci })
    expect(body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'board' })
    const card = await scene.card()
    expect((await world.call('get_proof', { entity_type: 'card', entity_id: card }, { as: ci })).status).toBe(404)
    scene = home
    expect((await world.call('get_test_report', { report_id: id }, { as: ci })).status).toBe(200)
  })

  test('came by a trust that an agent set: it does not vouch for what that agent worked on', async () => {
    const testReport = await world.ok('submit_test_report', report(), { as: await session() })
    const card_id = await scene.card()
    await world.ok('submit_test_report', { ...report({ name: 'other' }), for: [card_id] }, { as: await session() })
    expect(testReport.tier).toBe('ci')
    const proof = await world.ok('get_proof', { entity_type: 'card', entity_id: card_id })
    expect(proof.tier).toBe('ci')
    await world.ok('claim_card', { card_id })
    expect((await world.ok('get_proof', { entity_type: 'card', entity_id: card_id })).tier_reason).toBe(
      'seen_by_worker',
    )
  })
})

test('is a tool as well', async () => {
  const token = await issuer.token(audience())
  const { value } = await new McpWire(world).tool('exchange_ci_token', { token })
  expect(value).toMatchObject({ trusted: true })
})
