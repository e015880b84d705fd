import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgeSecret, post, sendEvent, settled, signed } from './support/forge.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(sha) as [string, string, string, string]
const zeros = sha('0')

/** A board with a repository on a forge. */
class Board {
  readonly scene: Scene
  readonly board_id: string
  readonly repository_id: string

  private constructor(scene: Scene, repository_id: string) {
    this.scene = scene
    this.board_id = scene.boardId
    this.repository_id = repository_id
  }

  static async start(fields: Readonly<Record<string, unknown>> = {}): Promise<Board> {
    const scene = await Scene.on(world)
    const { id } = await world.ok('create_repository', {
      board_id: scene.boardId,
      url: 'https://github.com/acme/shop.git',
      webhook_secret: forgeSecret,
      ...fields,
    })
    return new Board(scene, id)
  }

  async card(): Promise<{ readonly id: string; readonly ref: string }> {
    const id = await this.scene.smallChange()
    return { id, ref: (await world.ok('get_card', { card_id: id })).ref }
  }

  /** Sends an event, and waits until it was read. */
  async tell(event: string, payload: object) {
    const answer = await sendEvent(world, this.repository_id, { event, payload })
    await settled(world, this.repository_id)
    return answer
  }

  /** Pushes two commits on a branch, and opens a pull request of it that names a record. */
  async openRequest(ref: string): Promise<void> {
    await this.tell('push', push('work', zeros, b, [commit(a, 'One'), commit(b, 'Two')]))
    await this.tell('pull_request', { action: 'opened', pull_request: request({ title: ref }) })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  list(query: Readonly<Record<string, unknown>>): Promise<any[]> {
    return world.ok('list_changes', { board_id: this.board_id, ...query })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  async one(query: Readonly<Record<string, unknown>>): Promise<any> {
    return (await this.list(query))[0]
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  repository(): Promise<any> {
    return world.ok('get_repository', { repository_id: this.repository_id })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers as they come
  deliveries(query: Readonly<Record<string, unknown>> = {}): Promise<any[]> {
    return world.ok('list_forge_deliveries', { repository_id: this.repository_id, ...query })
  }

  /** The actions of the board's events about its changes. */
  async actions(): Promise<string[]> {
    const { events } = await world.ok('list_board_events', { board_id: this.board_id, limit: 200 })
    return events.flatMap(({ action }: { action: string }) =>
      /^(?:change|checks|commit|pull_request)/.test(action) ? [action] : [],
    )
  }
}

const author = { name: 'Ada', email: 'Ada@Example.com', username: 'ada' }
const commit = (id: string, message: string, more: object = {}) => ({
  id,
  message,
  timestamp: '2026-11-20T09:15:00+01:00',
  author,
  added: [],
  removed: [],
  modified: ['src/cart.ts'],
  ...more,
})
const push = (branch: string, before: string, after: string, commits: readonly object[], more: object = {}) => ({
  ref: `refs/heads/${branch}`,
  before,
  after,
  commits,
  ...more,
})

const fork = { full_name: 'eve/shop', fork: true }
const request = (more: Readonly<Record<string, unknown>> = {}) => ({
  number: 12,
  state: 'open',
  title: 'Keep the cart',
  body: null,
  draft: false,
  merged: false,
  merge_commit_sha: sha('9'),
  created_at: '2026-11-20T08:20:00Z',
  updated_at: '2026-11-20T08:20:05Z',
  user: { login: 'ada' },
  head: { ref: 'work', sha: b, repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: a, repo: { full_name: 'acme/shop' } },
  commits: 2,
  additions: 120,
  deletions: 30,
  changed_files: 7,
  ...more,
})

/** The same one, merged. */
const merged = (more: Readonly<Record<string, unknown>>) =>
  request({ state: 'closed', merged: true, merge_commit_sha: d, updated_at: '2026-11-20T10:00:00Z', ...more })

describe('the door (git 2)', () => {
  test('answers each fault by its code, and nothing more', async () => {
    const { repository_id, board_id } = await Board.start()
    const plain = await world.ok('create_repository', { board_id, url: 'file:///srv/plain', forge: 'plain' })
    const body = '{"zen":"x"}'
    const good = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signed(body)}` }
    const send = (headers: Readonly<Record<string, string>>, id = repository_id, text = body) =>
      post(world, id, text, headers)
    const refusal = (http: number, error: string) => ({
      http,
      detail: { error, message: 'The event was refused.' },
    })
    expect(await send(good, randomUUID())).toEqual(refusal(404, 'NOT_FOUND'))
    expect(await send(good, plain.id)).toEqual(refusal(404, 'NOT_FOUND'))
    expect(await send({ ...good, 'content-type': 'text/plain' })).toEqual(refusal(415, 'UNSUPPORTED_MEDIA_TYPE'))
    expect(await send({ 'x-github-event': 'push' })).toEqual(refusal(401, 'UNAUTHORIZED'))
    expect(await send({ ...good, 'x-hub-signature-256': `sha256=${signed(`${body} `)}` })).toMatchObject({ http: 401 })
    expect(await send({ 'x-github-event': 'push', 'x-hub-signature': 'sha1=00' })).toMatchObject({ http: 401 })
    const { 'x-github-event': _, ...unnamed } = good
    expect(await send(unnamed)).toEqual(refusal(400, 'VALIDATION_ERROR'))
    for (const text of ['[]', 'x', `${'['.repeat(70)}${']'.repeat(70)}`, `{"a":${'['.repeat(64)}${']'.repeat(64)}}`])
      expect(
        await send({ ...good, 'x-hub-signature-256': `sha256=${signed(text)}` }, repository_id, text),
      ).toMatchObject({ http: 400 })
    const response = await fetch(`${world.running.url}/hooks/forge/${repository_id}`)
    expect(response.status).toBe(405)
    expect((await world.ok('get_repository', { repository_id })).refused_count).toBe(3)
  })

  test('an event that is too large is refused', async () => {
    const small = await World.start({ forgeMaxBytes: 100 })
    const scene = await Scene.on(small)
    const fields = { board_id: scene.boardId, url: 'https://github.com/acme/shop', webhook_secret: forgeSecret }
    const { id } = await small.ok('create_repository', fields)
    expect(await sendEvent(small, id, { event: 'push', payload: { more: 'x'.repeat(100) } })).toMatchObject({
      http: 413,
    })
    await small.stop()
  })

  test('a form is an event too; a ping is answered, and pins the number of the repository', async () => {
    const board = await Board.start()
    expect(await sendEvent(world, board.repository_id, { event: 'ping', payload: {} })).toEqual({
      http: 200,
      status: 'pong',
    })
    expect(await board.repository()).toMatchObject({ forge_id: '4711', last_delivery_at: expect.any(String) })
    const payload = JSON.stringify({ repository: { id: 4711, full_name: 'acme/shop' }, ...push('work', zeros, a, []) })
    const body = new URLSearchParams({ payload }).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${signed(body)}`,
    }
    expect(await post(world, board.repository_id, body, headers)).toMatchObject({ http: 202, status: 'queued' })
    await settled(world, board.repository_id)
    expect((await board.repository()).branches).toEqual([{ name: 'work', head: a }])
  })

  test('what is seen again, of another repository, of no interest, or of an inactive one changes nothing', async () => {
    const board = await Board.start()
    const { repository_id } = board
    const event = { event: 'push', payload: push('work', zeros, a, []), delivery: randomUUID() }
    expect(await sendEvent(world, repository_id, event)).toEqual({
      http: 202,
      status: 'queued',
      delivery_id: event.delivery,
    })
    expect(await sendEvent(world, repository_id, event)).toEqual({ http: 200, status: 'duplicate' })
    const ignored = { http: 202, status: 'ignored' }
    const other = { repository: { id: 1, full_name: 'acme/other' } }
    expect(await sendEvent(world, repository_id, { event: 'push', payload: { ...event.payload, ...other } })).toEqual(
      ignored,
    )
    expect(await sendEvent(world, repository_id, { event: 'star', payload: { action: 'created' } })).toEqual(ignored)
    const tag = { ref: 'refs/tags/v1', before: zeros, after: a }
    expect(await sendEvent(world, repository_id, { event: 'push', payload: tag })).toEqual(ignored)
    await settled(world, repository_id)
    const deliveries = await board.deliveries()
    expect(deliveries.map(({ event, status, repeats }) => [event, status, repeats])).toEqual([
      ['push', 'ignored', 0],
      ['star', 'ignored', 0],
      ['push', 'ignored', 0],
      ['push', 'done', 1],
    ])
    expect(deliveries[3]).toEqual({
      id: expect.any(String),
      delivery_id: event.delivery,
      event: 'push',
      action: null,
      status: 'done',
      reason: null,
      received_at: expect.any(String),
      processed_at: expect.any(String),
      attempts: 1,
      repeats: 1,
      size: expect.any(Number),
      changes: 1,
      links: 0,
    })
    await world.ok('update_repository', { repository_id, active: false })
    expect(await sendEvent(world, repository_id, { event: 'push', payload: event.payload })).toEqual(ignored)
  })

  test('one that cannot be read has failed, and is taken again', async () => {
    const board = await Board.start()
    const { repository_id } = board
    const event = { event: 'pull_request', payload: { action: 'opened' }, delivery: randomUUID() }
    await sendEvent(world, repository_id, event)
    await settled(world, repository_id)
    const [failed] = await board.deliveries({ status: 'failed' })
    expect(failed).toMatchObject({ action: 'opened', reason: 'It has no pull_request.', attempts: 1 })
    const args = { repository_id, delivery_id: failed.id }
    expect(await world.call('retry_forge_delivery', args)).toMatchObject({ status: 202, body: { status: 'queued' } })
    await settled(world, repository_id)
    expect(await sendEvent(world, repository_id, event)).toMatchObject({ status: 'queued' })
    await settled(world, repository_id)
    await board.tell('push', push('work', zeros, a, []))
    const [done] = await board.deliveries({ status: 'done' })
    expect(await world.call('retry_forge_delivery', { ...args, delivery_id: done.id })).toMatchObject({
      status: 409,
      body: { detail: { error: 'INVALID_STATE', status: 'done' } },
    })
    expect(await world.call('retry_forge_delivery', { ...args, delivery_id: randomUUID() })).toMatchObject({
      status: 404,
    })
  })

  test('both secrets verify after a rotation', async () => {
    const { repository_id } = await Board.start()
    await world.ok('rotate_repository_secret', { repository_id, webhook_secret: 'another secret of ours' })
    const body = JSON.stringify({ repository: { id: 1, full_name: 'acme/shop' } })
    for (const secret of [forgeSecret, 'another secret of ours'])
      expect(
        await post(world, repository_id, body, {
          'x-github-event': 'ping',
          'x-hub-signature-256': `sha256=${signed(body, secret)}`,
        }),
      ).toMatchObject({ status: 'pong' })
  })
})

describe('signatures of other forges (git 2)', () => {
  const project = { id: 815, path_with_namespace: 'acme/shop' }
  const body = JSON.stringify({ object_kind: 'push', project, ref: 'refs/heads/x', after: a, commits: [] })
  const event = { 'x-gitlab-event': 'Push Hook' }
  const token = { ...event, 'x-gitlab-token': forgeSecret }
  const standard = (at: number, key = Buffer.from(forgeSecret)) => {
    const id = randomUUID()
    const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': `${at}`, 'webhook-signature': `v1,${signature}` }
  }
  const now = () => Math.floor(Date.now() / 1_000)

  test('GitLab sends its secret, or signs; a signature that is there must hold', async () => {
    const { repository_id } = await Board.start({ url: 'https://gitlab.com/acme/shop' })
    const send = async (headers: Readonly<Record<string, string>>) =>
      (await post(world, repository_id, body, headers)).http
    expect(await send(token)).toBe(202)
    expect(await send(token)).toBe(200)
    expect(await send({ ...event, 'x-gitlab-token': 'wrong' })).toBe(401)
    expect(await send({ ...event, ...standard(now()) })).toBe(202)
    expect(await send({ ...token, ...standard(now() - 600) })).toBe(401)
    expect(await send({ ...token, ...standard(now(), Buffer.from('wrong')) })).toBe(401)
    await world.ok('update_repository', { repository_id, require_signature: true })
    expect(await send(token)).toBe(401)
    expect(await send({ ...event, ...standard(now()) })).toBe(202)
  })

  test('the bytes of a secret of Standard Webhooks are what its base64 says', async () => {
    const bytes = Buffer.from('0123456789abcdef0123456789abcdef')
    const webhook_secret = `whsec_${bytes.toString('base64')}`
    const { repository_id } = await Board.start({ url: 'https://gitlab.com/acme/shop', webhook_secret })
    expect(await post(world, repository_id, body, { ...event, ...standard(now(), bytes) })).toMatchObject({ http: 202 })
  })

  test.each(['gitea', 'forgejo'])('%s signs with its own header; those of GitHub do not count', async forge => {
    const { repository_id } = await Board.start({ url: 'https://git.example.org/acme/shop', forge })
    const text = JSON.stringify({ repository: { id: 31, full_name: 'acme/shop' }, ...push('x', zeros, a, []) })
    const name = forge === 'gitea' ? 'x-gitea' : 'x-forgejo'
    const github = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signed(text)}` }
    expect(await post(world, repository_id, text, github)).toMatchObject({ http: 401 })
    const own = { ...github, [`${name}-event`]: 'push', [`${name}-signature`]: signed(text) }
    expect(await post(world, repository_id, text, own)).toMatchObject({ http: 202, status: 'queued' })
    const both = { ...own, 'x-gitea-signature': signed(text), 'x-forgejo-signature': signed(text) }
    expect(await post(world, repository_id, text, both)).toMatchObject({ http: 200, status: 'duplicate' })
    const other = name === 'x-gitea' ? 'x-forgejo' : 'x-gitea'
    for (const each of [name, other])
      expect(
        await post(world, repository_id, text, { ...both, [`${each}-signature`]: signed(text, 'wrong') }),
      ).toMatchObject({ http: 401 })
  })
})

describe('pushes (git 2, 3)', () => {
  test('commits and branch are linked, in the name of the forge', async () => {
    const board = await Board.start()
    const [one, two] = [await board.card(), await board.card()]
    const name = `${one.ref.toLowerCase()}-cart`
    await board.tell('push', push(name, zeros, b, [commit(a, 'Keep the cart'), commit(b, `${two.ref}: round`)]))
    expect(await board.one({ sha: a })).toMatchObject({
      confirmed_by: 'forge',
      committed_at: '2026-11-20T08:15:00.000Z',
      author: { name: 'Ada', email: 'ada@example.com', login: 'ada' },
      paths: ['src/cart.ts'],
      branches: [name],
      additions: null,
      links: [{ id: one.id, how: 'inherited', by: `forge:${board.repository_id}` }],
    })
    expect((await board.one({ sha: b })).links).toMatchObject([{ id: two.id, how: 'message' }])
    const { events } = await world.ok('list_board_events', { board_id: board.board_id })
    expect(events.find(({ action }: { action: string }) => action === 'changes_recorded')).toMatchObject({
      actor_id: `forge:${board.repository_id}`,
      actor_type: 'service',
      actor_via: 'service',
      details: { repository_id: board.repository_id, branch: name, commits: 2, source: 'forge' },
    })
  })

  test('a forced push rewrites what has author and subject in common; the rest vanishes', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('push', push('work', zeros, b, [commit(a, `Work ${ref}`), commit(b, `Gone ${ref}`)]))
    await board.tell('push', push('work', b, c, [commit(c, `Work ${ref}`)], { forced: true }))
    expect(await board.one({ sha: a })).toMatchObject({ state: 'open', rewritten_as: c, branches: [] })
    expect(await board.one({ sha: b })).toMatchObject({ state: 'vanished' })
    expect(await board.one({ sha: c })).toMatchObject({ state: 'open', branches: ['work'] })
    await board.tell('push', push('work', c, zeros, [], { deleted: true }))
    expect(await board.one({ sha: c })).toMatchObject({ state: 'vanished' })
    expect(await board.actions()).toContain('commit_vanished')
  })

  test('commits of one second stand in the order of the push, also where it tells the newest first', async () => {
    for (const turned of [false, true]) {
      const board = await Board.start()
      const { id, ref } = await board.card()
      const commits = [commit(c, `${ref} one`), commit(a, `${ref} two`), commit(b, `${ref} three`)]
      await board.tell('push', push('work', zeros, b, turned ? commits.toReversed() : commits))
      const proofAt = async (sha1: string) => {
        const files = [{ name: 'report.xml', text: `<testsuite><testcase name="at ${sha1}"/></testsuite>` }]
        const { board_id } = board
        await world.ok('submit_test_report', { board_id, files, commit: sha1, branch: 'work', for: ref })
        return world.ok('get_proof', { entity_type: 'card', entity_id: id })
      }
      expect((await proofAt(a)).newer).toMatchObject([{ sha: b }])
      expect(await proofAt(b)).toMatchObject({ stale: false, newer: [] })
    }
  })

  test('a branch that begins at a commit of another one holds what that one held before it', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('push', push('work', zeros, b, [commit(a, ref), commit(b, ref)]))
    await board.tell('push', push('work', b, c, [commit(c, ref)]))
    await board.tell('push', push('renamed', zeros, b, []))
    expect((await board.one({ sha: a })).branches.toSorted()).toEqual(['renamed', 'work'])
    expect((await board.one({ sha: c })).branches).toEqual(['work'])
    await board.tell('push', push('work', c, zeros, [], { deleted: true }))
    expect(await board.one({ sha: a })).toMatchObject({ state: 'open', branches: ['renamed'] })
    expect(await board.one({ sha: c })).toMatchObject({ state: 'vanished' })
    await board.tell('push', push('main', zeros, b, [commit(b, ref)]))
    expect(await board.one({ sha: a })).toMatchObject({ state: 'merged' })
  })

  test('what comes to the default branch is merged; the forge says which that is', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    const repository = { id: 4711, full_name: 'acme/shop', default_branch: 'trunk' }
    await board.tell('push', { repository, ...push('trunk', zeros, a, [commit(a, ref)]) })
    expect(await board.one({ sha: a })).toMatchObject({ state: 'merged' })
    expect(await board.repository()).toMatchObject({ default_branch: 'trunk', synced_at: null })
  })

  test('a push that tells fewer commits than it counts leaves a gap, which sync fills', async () => {
    const board = await Board.start({ url: 'https://gitlab.com/acme/shop' })
    const { ref } = await board.card()
    const payload = {
      object_kind: 'push',
      project: { id: 815, path_with_namespace: 'acme/shop', default_branch: 'main' },
      total_commits_count: 27,
      ...push(ref.toLowerCase(), zeros, b, [commit(b, 'More', { author: { name: 'Ada', email: '[REDACTED]' } })]),
    }
    const headers = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': forgeSecret }
    await post(world, board.repository_id, JSON.stringify(payload), headers)
    await settled(world, board.repository_id)
    expect(await board.one({ kind: 'branch' })).toMatchObject({ gap: true, head: b })
    expect(await board.one({ sha: b })).toMatchObject({ author: { name: 'Ada', email: null } })
    expect((await board.repository()).branches).toEqual([])
    const { board_id, repository_id } = board
    const commits = [
      { sha: a, parents: [] },
      { sha: b, parents: [a] },
    ]
    const branches = [{ name: ref.toLowerCase(), head: b }]
    await world.ok('record_changes', { board_id, repository_id, commits, branches })
    expect(await board.one({ kind: 'branch' })).toMatchObject({ gap: false })
    expect((await board.one({ sha: a })).branches).toEqual([ref.toLowerCase()])
  })
})

describe('pull requests (git 2, 3, 4)', () => {
  test('are linked by title and text, and give their commits and branch their links', async () => {
    const board = await Board.start()
    const [one, two, three] = [await board.card(), await board.card(), await board.card()]
    await board.tell('push', push('work', zeros, b, [commit(a, 'One'), commit(b, 'Two')]))
    const body = `Text\n\nSpecboard: ${two.ref}\n\n<!-- ${three.ref} -->\n\`${three.ref}\` is none`
    const pull_request = request({ title: `Keep the cart (${one.ref})\n`, body })
    await board.tell('pull_request', { action: 'opened', number: 12, pull_request })
    const found = await board.one({ number: 12 })
    expect(found).toMatchObject({
      kind: 'pull_request',
      number: 12,
      title: `Keep the cart (${one.ref})`,
      url: 'https://github.com/acme/shop/pull/12',
      body,
      draft: false,
      state: 'open',
      source_branch: 'work',
      target_branch: 'main',
      head: b,
      merge_commit: null,
      merged_at: null,
      merged_by: null,
      review: { decision: 'none', approvals: 0, requests: 0 },
      queued: false,
      commits: 2,
      additions: 120,
      deletions: 30,
      files_changed: 7,
      author: { login: 'ada' },
      confirmed_by: 'forge',
      external: false,
      checks: { state: 'none', total: 0, failing: [] },
    })
    const links = found.links.map(({ how, id }: { how: string; id: string }) => `${how} ${id}`).toSorted()
    expect(links).toEqual([`pull_request ${one.id}`, `trailer ${two.id}`])
    expect((await board.one({ sha: a })).links).toMatchObject([{ how: 'inherited' }, { how: 'inherited' }])
    expect(await board.one({ kind: 'branch' })).toMatchObject({ pull_request: 12 })
    const edited = request({ title: 'Keep the cart', body: null, updated_at: '2026-11-20T08:30:00Z' })
    await board.tell('pull_request', { action: 'edited', pull_request: edited })
    expect((await board.one({ number: 12 })).links).toEqual([])
    expect((await board.one({ sha: a })).links).toEqual([])
    expect(await board.actions()).toContain('pull_request_opened')
  })

  test('merged ones stay so, whatever comes late; their commits are merged', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('push', push('work', zeros, b, [commit(a, 'One'), commit(b, 'Two')]))
    await board.tell('pull_request', { action: 'opened', pull_request: request({ title: ref, draft: true }) })
    const ready = request({ title: ref, updated_at: '2026-11-20T08:25:00Z' })
    await board.tell('pull_request', { action: 'ready_for_review', pull_request: ready })
    const facts = { title: ref, merged_at: '2026-11-20T10:00:00Z', merged_by: { login: 'bob' } }
    await board.tell('pull_request', { action: 'closed', pull_request: merged(facts) })
    await board.tell('pull_request', { action: 'synchronize', pull_request: request({ title: ref }) })
    expect(await board.one({ number: 12 })).toMatchObject({
      state: 'merged',
      merge_commit: d,
      merged_at: '2026-11-20T10:00:00.000Z',
      merged_by: 'bob',
    })
    expect(await board.one({ sha: a })).toMatchObject({ state: 'merged', merged_as: d })
    await board.tell('push', push('work', b, zeros, [], { deleted: true }))
    expect(await board.one({ sha: a })).toMatchObject({ state: 'merged' })
    const actions = (await board.actions()).filter(action => action.startsWith('pull_request'))
    expect(actions.toSorted()).toEqual(['pull_request_merged', 'pull_request_opened', 'pull_request_ready'])
  })

  test('its commits are merged as its merge commit, also where the push of the merge came first', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('push', push('main', zeros, c, [commit(c, 'Base')]))
    await board.openRequest(ref)
    await board.tell('push', push('main', c, d, [commit(a, 'One'), commit(b, 'Two'), commit(d, 'Merge')]))
    await board.tell('pull_request', { action: 'closed', pull_request: merged({ title: ref }) })
    for (const key of [a, b]) expect(await board.one({ sha: key })).toMatchObject({ state: 'merged', merged_as: d })
  })

  test('all of its commits are merged where the push of its branch came last', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('pull_request', { action: 'closed', pull_request: merged({ title: ref }) })
    await board.tell('push', push('work', zeros, b, [commit(a, 'One'), commit(b, 'Two')]))
    for (const key of [a, b])
      expect(await board.one({ sha: key })).toMatchObject({
        state: 'merged',
        merged_as: d,
        links: [{ ref, how: 'inherited' }],
      })
    await board.tell('push', push('work', b, c, [commit(c, 'Three')]))
    expect(await board.one({ sha: c })).toMatchObject({ state: 'open' })
  })

  test.each([false, true])('one whose branch was deleted and restored has its commits back', async isCreated => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.openRequest(ref)
    await board.tell('push', push('work', b, zeros, [], { deleted: true }))
    expect(await board.one({ sha: a })).toMatchObject({ state: 'vanished' })
    if (isCreated) await board.tell('create', { ref: 'work', ref_type: 'branch' })
    await board.tell('push', push('work', zeros, b, [], { created: true }))
    for (const key of [a, b]) expect(await board.one({ sha: key })).toMatchObject({ state: 'open', branches: ['work'] })
  })

  test('one whose branch was renamed keeps its commits', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.openRequest(ref)
    await board.tell('create', { ref: 'renamed', ref_type: 'branch' })
    await board.tell('delete', { ref: 'work', ref_type: 'branch' })
    const head = { ref: 'renamed', sha: b, repo: { full_name: 'acme/shop' } }
    await board.tell('pull_request', { action: 'closed', pull_request: merged({ title: ref, head }) })
    expect(await board.one({ sha: a })).toMatchObject({ state: 'merged', merged_as: d })
  })

  test('one of a fork takes no branch of ours', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('push', push('work', zeros, b, [commit(b, 'Two')]))
    const pull_request = request({ title: ref, head: { ref: 'work', sha: b, repo: fork } })
    await board.tell('pull_request', { action: 'opened', pull_request })
    expect(await board.one({ number: 12 })).toMatchObject({ external: true })
    expect((await board.one({ sha: b })).links).toEqual([])
  })

  test('are found by their author, of whom a forge tells only the login', async () => {
    const board = await Board.start()
    const { board_id } = board
    const { ref } = await board.card()
    await board.tell('pull_request', { action: 'opened', number: 12, pull_request: request({ title: ref }) })
    const numbers = async (author: string) => (await board.list({ author })).map(({ number }) => number)
    expect(await numbers('unknown')).toEqual([12])
    expect(await numbers(world.owner.id)).toEqual([])
    await world.ok('put_authors', { board_id, authors: [{ login: 'ada', agent_id: world.owner.id }] })
    expect(await numbers('unknown')).toEqual([])
    expect(await numbers(world.owner.id)).toEqual([12])
  })

  test('are of an author with an e-mail and a login, who is put back as it was read (git 8)', async () => {
    const board = await Board.start()
    const { board_id } = board
    await board.tell('push', push('main', zeros, a, [commit(a, 'One')]))
    const authors = [{ login: 'ada', agent_id: world.owner.id }]
    const listed = await world.ok('put_authors', { board_id, authors })
    expect(listed).toMatchObject([{ email: 'ada@example.com', login: 'ada', source: 'set', agent_id: world.owner.id }])
    expect(await world.ok('put_authors', { board_id, authors: listed })).toEqual(listed)
    const nobody = { board_id, authors: [{ email: null, login: null, agent_id: null }] }
    expect((await world.call('put_authors', nobody)).status).toBe(400)
  })

  test('reviews and the merge queue are told', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    const pull_request = request({ title: ref })
    await board.tell('pull_request', { action: 'opened', pull_request })
    const review = (login: string, state: string, submitted_at: string, action = 'submitted') =>
      board.tell('pull_request_review', { action, pull_request, review: { user: { login }, state, submitted_at } })
    await review('bob', 'changes_requested', '2026-11-20T09:00:00Z')
    await review('cy', 'approved', '2026-11-20T09:00:01Z')
    expect(await board.one({ number: 12 })).toMatchObject({
      review: { decision: 'changes_requested', approvals: 1, requests: 1 },
    })
    await review('bob', 'dismissed', '2026-11-20T09:00:02Z', 'dismissed')
    const head_ref = `refs/heads/gh-readonly-queue/main/pr-12-${a}`
    await board.tell('merge_group', { action: 'checks_requested', merge_group: { head_ref } })
    expect(await board.one({ number: 12 })).toMatchObject({ review: { decision: 'approved' }, queued: true })
    await board.tell('pull_request', { action: 'dequeued', pull_request })
    expect(await board.one({ number: 12 })).toMatchObject({ queued: false })
    expect((await board.actions()).filter(action => action === 'pull_request_reviewed')).toHaveLength(3)
  })
})

describe('checks (git 2, 3)', () => {
  const run = (conclusion: string | null, at: string, more: object = {}) => ({
    check_run: {
      name: 'test',
      head_sha: b,
      status: conclusion === null ? 'in_progress' : 'completed',
      conclusion,
      started_at: at,
      completed_at: conclusion === null ? null : at,
      html_url: 'https://github.com/acme/shop/runs/1',
      check_suite: { id: 501 },
      ...more,
    },
  })

  test('the newest of each name counts; records hear when they fail and pass', async () => {
    const board = await Board.start()
    const { ref } = await board.card()
    await board.tell('pull_request', { action: 'opened', pull_request: request({ title: ref }) })
    await board.tell('check_run', run(null, '2026-11-20T08:21:00Z'))
    const checks = async () => (await board.one({ number: 12 })).checks
    expect(await checks()).toEqual({ state: 'pending', total: 1, pending: 1, failing: [] })
    await board.tell('check_run', run('failure', '2026-11-20T08:24:00Z'))
    await board.tell('check_run', run(null, '2026-11-20T08:22:00Z'))
    expect(await checks()).toEqual({ state: 'failing', total: 1, failing: ['test'] })
    const suite = {
      id: 501,
      head_sha: b,
      status: 'completed',
      conclusion: 'failure',
      updated_at: '2026-11-20T08:25:00Z',
    }
    await board.tell('check_suite', { check_suite: suite })
    expect(await checks()).toMatchObject({ total: 1 })
    await board.tell('check_run', run('success', '2026-11-20T08:30:00Z'))
    await board.tell('status', { sha: b, context: 'lint', state: 'pending', updated_at: '2026-11-20T08:30:00Z' })
    expect(await checks()).toEqual({ state: 'pending', total: 2, pending: 1, failing: [] })
    await board.tell('status', { sha: b, context: 'lint', state: 'success', updated_at: '2026-11-20T08:31:00Z' })
    expect(await checks()).toEqual({ state: 'passing', total: 2, failing: [] })
    const actions = (await board.actions()).filter(action => action.startsWith('checks'))
    expect(actions.toSorted()).toEqual(['checks_failed', 'checks_passed', 'checks_passed'])
  })

  test('only required checks count where there are some', async () => {
    const board = await Board.start({ required_checks: ['ci::*'] })
    const { ref } = await board.card()
    await board.tell('pull_request', { action: 'opened', pull_request: request({ title: ref }) })
    await board.tell('check_run', run('failure', '2026-11-20T08:24:00Z'))
    await board.tell('check_run', run('success', '2026-11-20T08:24:00Z', { name: 'ci::unit' }))
    expect((await board.one({ number: 12 })).checks).toEqual({ state: 'passing', total: 1, failing: [] })
  })
})

test('a card shows what changed for it, to who may read changes (git 9)', async () => {
  const board = await Board.start()
  const { id: card_id, ref } = await board.card()
  expect((await world.ok('get_card', { card_id })).changes).toBeNull()
  await board.tell('push', push(ref.toLowerCase(), zeros, b, [commit(a, 'One'), commit(b, 'Two')]))
  const pull_request = request({
    title: ref,
    head: { ref: ref.toLowerCase(), sha: b, repo: { full_name: 'acme/shop' } },
  })
  await board.tell('pull_request', { action: 'opened', pull_request })
  const status = { sha: b, context: 'lint', state: 'failure', updated_at: '2026-11-20T08:30:00Z' }
  await board.tell('status', status)
  const changes = {
    commits: 2,
    pull_requests: [
      {
        id: expect.any(String),
        number: 12,
        title: ref,
        url: 'https://github.com/acme/shop/pull/12',
        state: 'open',
        draft: false,
        checks: { state: 'failing', total: 1, failing: ['lint'] },
        review: { decision: 'none', approvals: 0, requests: 0 },
      },
    ],
    branches: [{ name: ref.toLowerCase(), state: 'open' }],
    files_changed: 7,
    additions: 120,
    deletions: 30,
    merged_at: null,
    last_at: expect.any(String),
  }
  expect((await world.ok('get_card', { card_id })).changes).toEqual(changes)
  const reader = await world.agent({ permission_flags: { CHANGES_READ: false } })
  await world.ok('grant_board_access', { board_id: board.board_id, agent_id: reader.id })
  expect((await world.ok('get_card', { card_id }, { as: reader })).changes).toBeNull()
})

test('events that wait are read after a start', async () => {
  let own = await World.start()
  const scene = await Scene.on(own)
  const fields = { board_id: scene.boardId, url: 'https://github.com/acme/shop', webhook_secret: forgeSecret }
  const { id } = await own.ok('create_repository', fields)
  const deliveries = Array.from({ length: 20 }, (_, index) =>
    sendEvent(own, id, { event: 'push', payload: push(`branch-${index}`, zeros, a, []) }),
  )
  await Promise.all(deliveries)
  own = await own.restart()
  await settled(own, id)
  expect((await own.ok('get_repository', { repository_id: id })).branches).toHaveLength(20)
  await own.stop()
})

test('a large event is read beside the calls (walls 1)', async () => {
  const scene = await Scene.on(world)
  const fields = { board_id: scene.boardId, url: 'https://github.com/acme/shop', webhook_secret: forgeSecret }
  const { id } = await world.ok('create_repository', fields)
  const message = `Large ${'x'.repeat(6 << 20)}`
  const commits = [{ id: b, message, timestamp: '2026-11-20T08:00:00Z', author: { name: 'Ada' } }]
  const answer = await sendEvent(world, id, { event: 'push', payload: push('large', zeros, b, commits) })
  expect(answer).toMatchObject({ http: 202, status: 'queued' })
  await settled(world, id)
  const [delivery] = await world.ok('list_forge_deliveries', { repository_id: id })
  expect(delivery).toMatchObject({ status: 'done', changes: 2 })
  const broken = await sendEvent(world, id, { event: 'push', payload: { ref: 1, filler: 'x'.repeat(1 << 20) } })
  expect(broken).toMatchObject({ http: 202 })
  await settled(world, id)
  const [failed] = await world.ok('list_forge_deliveries', { repository_id: id })
  expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('ref') })
})
