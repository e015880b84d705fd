import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { OperationName } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let other: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  other = await world.agent({ name: 'Other' })
  await scene.admit(other)
})

afterAll(() => world.stop())

interface Kind {
  readonly make: () => Promise<Readonly<Record<string, string>>>
  readonly get: OperationName
  readonly update: OperationName
  readonly fields: Readonly<Record<string, unknown>>
  /** A call that changes a part of the record, but none of its own fields. */
  readonly part?: readonly [OperationName, Readonly<Record<string, unknown>>]
  /** The call that changes its status. */
  readonly move?: readonly [OperationName, string]
  /** Set if only its owner changes it; it is on no board, so the log has nothing about it. */
  readonly ofOwner?: true
}

const question = { question: 'Why?' }

const kinds: Readonly<Record<string, Kind>> = {
  board: {
    make: async () => {
      const own = await Scene.on(world)
      await own.admit(other)
      return { board_id: own.boardId }
    },
    get: 'get_board',
    update: 'update_board',
    fields: { name: 'New', description: 'New', settings: { max_drift: 7 }, key: 'NEWKEY' },
    part: ['grant_board_access', {}],
  },
  card: {
    make: async () => ({ card_id: await scene.card({ spec_id: await scene.spec('in_progress') }) }),
    get: 'get_card',
    update: 'update_card',
    fields: {
      title: 'New',
      description: 'New',
      labels: ['new'],
      priority: 'high',
      due_date: '2026-05-01T00:00:00.000Z',
    },
    part: ['create_comment', { content: 'Hm' }],
    move: ['move_card', 'started'],
  },
  ideation: {
    make: async () => ({ ideation_id: await scene.ideation() }),
    get: 'get_ideation',
    update: 'update_ideation',
    fields: { title: 'New', labels: ['new'], complexity: 'small' },
    part: ['ask_ideation_question', question],
    move: ['move_ideation', 'review'],
  },
  refinement: {
    make: async () => ({ refinement_id: await scene.refinement() }),
    get: 'get_refinement',
    update: 'update_refinement',
    fields: { title: 'New', in_scope: ['new'] },
    part: ['ask_refinement_question', question],
    move: ['move_refinement', 'review'],
  },
  spec: {
    make: async () => ({ spec_id: await scene.spec() }),
    get: 'get_spec',
    update: 'update_spec',
    fields: { title: 'New', acceptance_criteria: ['new'], labels: ['new'] },
    part: ['ask_spec_question', question],
    move: ['move_spec', 'review'],
  },
  sprint: {
    make: async () => ({ sprint_id: (await scene.sprint()).sprint_id }),
    get: 'get_sprint',
    update: 'update_sprint',
    fields: { title: 'New', objective: 'new' },
    move: ['move_sprint', 'active'],
  },
  guideline: {
    make: async () => ({ guideline_id: (await world.ok('create_guideline', { title: 'Old', content: 'c' })).id }),
    get: 'get_guideline',
    update: 'update_guideline',
    fields: { title: 'New', content: 'new' },
    ofOwner: true,
  },
  architecture: {
    make: async () => ({
      design_id: (
        await world.ok('create_card_architecture', {
          card_id: await scene.card(),
          title: 'Old',
          global_description: 'Old',
        })
      ).id,
    }),
    get: 'get_architecture',
    update: 'update_architecture',
    fields: { title: 'New', global_description: 'new' },
  },
}

const tagOf = async (get: OperationName, at: object): Promise<string> =>
  (await world.call(get, { ...at })).headers.get('etag')!
const match = (tag: string) => ({ headers: { 'if-match': tag } })

describe.each(Object.entries(kinds))(
  'If-Match on a %s (board 6)',
  (_, { make, get, update, fields, part, move, ofOwner }) => {
    test('refuses who changes what another changed, and says what', async () => {
      for (const [field, value] of Object.entries(fields)) {
        const at = await make()
        const tag = await tagOf(get, at)
        await world.ok(update, { ...at, [field]: value }, { as: ofOwner ? world.owner : other })
        const { status, body } = await world.call(update, { ...at, [field]: value }, match(tag))
        const { [field]: current } = await world.ok(get, at)
        const author = ofOwner
          ? { actor_name: null, at: null }
          : { actor_name: 'Other', at: expect.stringMatching(/^\d{4}-.*Z$/) }
        expect([status, body.detail]).toMatchObject([
          412,
          { error: 'PRECONDITION_FAILED', etag: await tagOf(get, at), changed: [{ field, current, ...author }] },
        ])
      }
    })

    test('names no field that others alone changed', async () => {
      const [first, second] = Object.keys(fields)
      const at = await make()
      const tag = await tagOf(get, at)
      await world.ok(update, { ...at, [first!]: fields[first!] })
      const { status, body } = await world.call(update, { ...at, [second!]: fields[second!] }, match(tag))
      expect([status, body.detail.changed]).toStrictEqual([412, []])
    })

    test.runIf(part)('a change of a part refuses nobody, but is read again', async () => {
      const at = await make()
      const tag = await tagOf(get, at)
      await world.ok(part![0], { ...at, ...part![1], agent_id: (await world.agent()).id })
      const changed = await tagOf(get, at)
      expect(changed).not.toBe(tag)
      expect(changed.split('-')[0]).toBe(tag.split('-')[0])
      expect((await world.call(get, { ...at }, { headers: { 'if-none-match': tag } })).status).toBe(200)
      expect((await world.call(get, { ...at }, { headers: { 'if-none-match': changed } })).status).toBe(304)
      const [field] = Object.keys(fields)
      expect((await world.call(update, { ...at, [field!]: fields[field!] }, match(tag))).status).toBe(200)
    })

    test.runIf(move)('a change of the status refuses', async () => {
      const at = await make()
      const tag = await tagOf(get, at)
      await world.ok(move![0], { ...at, status: move![1], target_status: move![1] }, { as: other })
      const again = await world.call(move![0], { ...at, status: move![1], target_status: move![1] }, match(tag))
      expect([again.status, again.body.detail.changed]).toMatchObject([
        412,
        [{ field: 'status', current: move![1], actor_name: 'Other' }],
      ])
      const [field] = Object.keys(fields)
      expect((await world.call(update, { ...at, [field!]: fields[field!] }, match(tag))).body.detail.changed).toEqual(
        [],
      )
    })
  },
)

test('a tag that is none of the record says of every wanted field what it is now', async () => {
  const card_id = await scene.card({ description: 'd' })
  const { body } = await world.call('update_card', { card_id, title: 'New', description: 'New' }, match('"none"'))
  expect(body.detail.changed).toMatchObject([
    { field: 'title', current: 'Card' },
    { field: 'description', current: 'd' },
  ])
})

describe('compressed answers (board 6)', () => {
  const bytes = async (path: string, encoding: string | null) => {
    const { running, owner } = world
    const { default: http } = await import('node:http')
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const headers = { 'x-api-key': owner.key, ...(encoding !== null && { 'accept-encoding': encoding }) }
      http
        .get(`${running.url}${path}`, { headers }, async answer => {
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk)
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) })
        })
        .on('error', reject)
    })
  }

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
  ] as const)('%s', async (asked, encoding, decompress) => {
    const path = `/api/v1/cards/${await scene.card({ description: 'word '.repeat(1000) })}`
    const plain = await bytes(path, null)
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const packed = await bytes(path, asked)
    const { etag, vary } = plain.headers
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      etag,
      vary,
      'content-type': 'application/json',
    })
    expect(packed.body.length).toBeLessThan(plain.body.length)
    expect(decompress(packed.body).equals(plain.body)).toBe(true)
  })

  test('a short answer comes as it is', async () => {
    const { headers } = await bytes('/health', 'gzip, br')
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('an event stream comes as it is', async () => {
    const { running, owner } = world
    const until = new AbortController()
    const { headers } = await fetch(`${running.url}/api/v1/boards/${scene.boardId}/events/stream?after=0`, {
      headers: { 'x-api-key': owner.key, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
      signal: until.signal,
    })
    until.abort()
    expect([headers.get('content-type'), headers.get('content-encoding')]).toStrictEqual([
      'text/event-stream; charset=utf-8',
      null,
    ])
  })
})
