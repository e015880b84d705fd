import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFull } from './support/full-board.ts'
import { Scene } from './support/scene.ts'
import { loseFile } from './support/stored-files.ts'
import { World } from './support/world.ts'
import { changedArchive, linesOf, zipEntries, zipOf } from './support/zip-entries.ts'

let world: World
/** A board with every kind of record. */
let full: Scene
let archive: File
/** The service into which it is imported. */
let other: World

beforeAll(async () => {
  ;({ world, full } = await startFull())
  archive = await world.archive(full.boardId)
  other = await World.start()
})

afterAll(async () => {
  await world.stop()
  await other.stop()
})

const fileOf = (bytes: Buffer, name = 'board.zip') => new File([bytes], name, { type: 'application/zip' })

/** Imports a file into a service. */
const into = (at: World, file: File, query: object = {}) => at.call('import_board', { file, ...query })

const boardsOf = async (at: World) => (await at.ok('list_boards')).length

describe('export_board (exchange 1)', () => {
  test('has its entries in order, with counts, sizes and hashes that are right', async () => {
    const entries = await zipEntries(archive)
    const manifest = JSON.parse(String(entries.get('manifest.json')))
    expect(manifest).toMatchObject({
      format: 'specboard.board',
      version: 2,
      board: { id: full.boardId, key: 'SCE', name: 'Scene' },
    })
    const [first, ...others] = entries.keys()
    expect(first).toBe('manifest.json')
    expect(others.slice(0, 3)).toEqual(['records.jsonl', 'events.jsonl', 'agents.jsonl'])
    expect(manifest.entries.map(({ name }: { name: string }) => name)).toEqual(others)
    for (const { name, size, sha256 } of manifest.entries) {
      const bytes = entries.get(name)!
      expect([size, sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')])
    }
    const kinds = linesOf(entries.get('records.jsonl')).map(({ type }) => type)
    expect(manifest.counts).toMatchObject(
      Object.fromEntries([...Map.groupBy(kinds, kind => kind)].map(([kind, of]) => [kind, of.length])),
    )
    expect(new Set(kinds)).toEqual(
      new Set(
        'board guideline ideation refinement spec sprint card question knowledge comment attachment architecture snapshot spec_validation task_validation dependency saved_search template graph_action history repository change change_link author test_report proof_run scenario_result waiver done_tier'.split(
          ' ',
        ),
      ),
    )
  })

  test('of an unchanged board, two differ in exported_at alone', async () => {
    const [one, two] = await Promise.all([zipEntries(archive), zipEntries(await world.archive(full.boardId))])
    const undated = (entries: Map<string, Buffer>) =>
      [...entries].map(([name, bytes]) => [name, String(bytes).replace(/"exported_at": "[^"]*"/, '')])
    expect(undated(two)).toEqual(undated(one))
  })

  test('has no keys, rights, owners, claims or marks', async () => {
    const text = [...(await zipEntries(archive)).values()].map(String).join('')
    expect(text).not.toMatch(/key_hash|api_key|permission_flags|"owner_id":null|"claim"|expires_at":"|seen_at/)
    expect(text).not.toContain(world.owner.key)
  })

  test('attachments=false and events=false leave out what they say', async () => {
    const entries = await zipEntries(await world.archive(full.boardId, '?attachments=false&events=false'))
    expect([...entries.keys()]).toEqual(['manifest.json', 'records.jsonl', 'agents.jsonl'])
    const kinds = new Set(linesOf(entries.get('records.jsonl')).map(({ type }) => type))
    for (const kind of ['attachment', 'history', 'snapshot']) expect(kinds).not.toContain(kind)
  })

  test.each([
    ['KG_READ', '', 'KG_READ'],
    ['ATTACHMENTS_READ', '?attachments=false', null],
    ['CARDS_READ_ACTIVITY', '?events=false', null],
    ['SPECS_READ_HISTORY', '?events=false', null],
    ['SPECS_READ_HISTORY', '', 'SPECS_READ_HISTORY'],
    ['BOARDS_READ', '', 'BOARDS_READ'],
  ])('without %s, export%s is refused naming the first that is missing', async (denied, query, missing) => {
    const agent = await world.agent({ permission_flags: { [denied]: false } })
    const scene = await Scene.on(world)
    await scene.admit(agent)
    const response = await fetch(`${world.running.url}/api/v1/boards/${scene.boardId}/export${query}`, {
      headers: { 'x-api-key': agent.key },
    })
    if (missing === null) expect(response.status).toBe(200)
    else expect([response.status, await response.json()]).toMatchObject([403, { detail: { permission: missing } }])
  })

  test('many at once take turns', async () => {
    const archives = await Promise.all(Array.from({ length: 3 }, () => world.archive(full.boardId)))
    expect(new Set(archives.map(({ size }) => size))).toEqual(new Set([archive.size]))
  })

  test('a missing file is 410 before the first byte', async () => {
    const scene = await Scene.on(world)
    const { attachment_id, card_id } = await scene.attachment()
    const [{ filename }] = (await world.ok('get_card', { card_id })).attachments
    await loseFile(world, scene.boardId, filename)
    const response = await fetch(`${world.running.url}/api/v1/boards/${scene.boardId}/export`, {
      headers: { 'x-api-key': world.owner.key },
    })
    expect([response.status, await response.json()]).toMatchObject([
      410,
      { detail: { error: 'FILE_MISSING', attachment_id } },
    ])
    expect((await world.archive(scene.boardId, '?attachments=false')).size).toBeGreaterThan(0)
  })
})

describe('import_board of an archive (exchange 1)', () => {
  test('into an empty service and out again changes no byte', async () => {
    const before = await zipEntries(archive)
    const { status, body } = await into(other, archive)
    expect([status, body.board_id, body.key]).toEqual([201, full.boardId, 'SCE'])
    const after = await zipEntries(await other.archive(body.board_id))
    for (const name of ['records.jsonl', 'events.jsonl', 'agents.jsonl'])
      expect(String(after.get(name)).split('\n')).toEqual(String(before.get(name)).split('\n'))
    // Kinds of principals come and go as claims (people 1.5).
    expect(linesOf(after.get('agents.jsonl'))).toContainEqual({
      id: world.owner.id,
      name: 'Local Owner',
      kind: 'person',
    })
    expect([...after.keys()]).toEqual([...before.keys()])
  })

  test('what diagrams held in former versions leaves and comes back (board 6)', async () => {
    const scene = await Scene.on(world)
    const { id: design_id } = await world.ok('create_ideation_architecture', {
      ideation_id: await scene.ideation(),
      title: 'Orders',
      global_description: 'How orders flow.',
      diagrams: [{ id: 'map', title: 'Map', adapter_payload: { first: 1 }, format: 'raw' }],
    })
    await world.ok('put_diagram_payload', { design_id, diagram_id: 'map', payload: { second: 2 }, format: 'raw' })
    const exported = await world.archive(scene.boardId)
    await into(other, exported)
    const payloads = [1, 2].map(version =>
      other.ok('get_diagram_payload', { design_id, diagram_id: 'map', version }).then(({ payload }) => payload),
    )
    expect(await Promise.all(payloads)).toEqual([{ first: 1 }, { second: 2 }])
    const [before, after] = await Promise.all(
      [exported, other.archive(scene.boardId)].map(async file => zipEntries(await file)),
    )
    expect(String(after!.get('records.jsonl'))).toBe(String(before!.get('records.jsonl')))
  })

  test('what the log of an archive tells is no news (board 2)', async () => {
    const scene = await Scene.on(world)
    await scene.ideation()
    const { cursor } = await other.ok('stream_my_events')
    await into(other, await world.archive(scene.boardId))
    const { events } = await other.ok('list_board_events', { board_id: scene.boardId })
    expect(events.length).toBeGreaterThan(0)
    expect((await other.ok('stream_my_events', { after: cursor })).events).toEqual([])
  })

  test('authors who are no agents here are answered as names', async () => {
    const [spec] = await other.ok('list_specs', { board_id: full.boardId, limit: 1 })
    expect(spec.created_by).toBe('external:Local Owner')
    const { events } = await other.ok('list_board_events', { board_id: full.boardId, limit: 1 })
    expect(events[0]).toMatchObject({ actor_id: 'external:Local Owner', actor_name: 'Local Owner' })
  })

  test('a second time on the same board changes nothing', async () => {
    const { status, body } = await into(other, archive, { board_id: full.boardId })
    expect([status, body.created, body.updated, body.skipped, body.problems]).toEqual([200, {}, {}, {}, []])
    expect(body.unchanged).toEqual(body.read)
  })

  test('as a second board it is refused, and comes in with ids of its own', async () => {
    const count = await boardsOf(other)
    const conflict = await into(other, archive)
    expect([conflict.status, conflict.body.detail.error]).toEqual([409, 'ID_TAKEN'])
    expect(conflict.body.detail.ids).toHaveLength(20)
    expect(await boardsOf(other)).toBe(count)
    const { status, body } = await into(other, archive, { keep_ids: false, name: 'Copy' })
    expect([status, body.key, body.skipped]).toEqual([201, 'COP', {}])
    expect(body.board_id).not.toBe(full.boardId)
    const copied = linesOf((await zipEntries(await other.archive(body.board_id))).get('records.jsonl'))
    // Links of changes have no id of their own.
    const records = linesOf((await zipEntries(archive)).get('records.jsonl'))
    const ids = new Set(records.flatMap(({ id }) => id ?? []))
    expect(copied.filter(({ id }) => ids.has(id))).toEqual([])
    // No reference leads back to the first board.
    const named =
      JSON.stringify(copied.filter(({ type }) => type !== 'saved_search')).match(
        /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      ) ?? []
    expect(named.filter(id => ids.has(id))).toEqual([])
    expect(named.length).toBeGreaterThan(100)
  })

  test('a dry run judges everything and writes nothing', async () => {
    const fresh = await World.start()
    try {
      const { status, body } = await into(fresh, archive, { dry_run: true })
      expect([status, body.board_id, body.key, body.dry_run]).toEqual([200, null, null, true])
      expect(body.created).toEqual(body.read)
      expect(await boardsOf(fresh)).toBe(0)
      expect((await into(fresh, archive)).status).toBe(201)
    } finally {
      await fresh.stop()
    }
  })

  test('what was deleted here stays deleted, with what belongs to it', async () => {
    const scene = await Scene.on(world)
    const card_id = await scene.card()
    await world.ok('create_comment', { card_id, content: 'Mine' })
    const file = await world.archive(scene.boardId)
    const first = await into(other, file)
    expect(first.status).toBe(201)
    await other.ok('delete_card', { card_id })
    const { body } = await into(other, file, { board_id: scene.boardId })
    expect(body.skipped).toMatchObject({ card: 1, comment: 1 })
    expect(body.created).toEqual({})
  })

  test('a changed field is updated unless it was changed here', async () => {
    const scene = await Scene.on(world)
    const card_id = await scene.card({ title: 'One', description: 'Old' })
    const file = await world.archive(scene.boardId)
    await into(other, file)
    await other.ok('update_card', { card_id, title: 'Ours' })
    const changed = await changedArchive(file, records => {
      Object.assign(
        records.find(({ id }) => id === card_id),
        { title: 'Theirs', description: 'New' },
      )
    })
    const { body } = await into(other, fileOf(changed), { board_id: scene.boardId })
    expect(body.updated).toEqual({ card: 1 })
    expect(body.problems).toMatchObject([
      { kind: 'card', id: card_id, severity: 'changed', reason: expect.stringContaining('title') },
    ])
    expect(await other.ok('get_card', { card_id })).toMatchObject({ title: 'Ours', description: 'New' })
  })

  test('a key that another board has is replaced', async () => {
    const scene = await Scene.on(world)
    const file = await world.archive(scene.boardId)
    const { key } = await world.ok('get_board', { board_id: scene.boardId })
    await other.ok('create_board', { name: 'First', description: '', key })
    const forecast = await into(other, file, { keep_ids: true, dry_run: true })
    const { body } = await into(other, file, { keep_ids: true })
    expect(body.problems).toMatchObject([{ kind: 'board', severity: 'changed' }])
    expect(forecast.body.problems).toEqual(body.problems)
    expect(body.key).not.toBe(key)
  })

  test('stands in the audit, and leaves no file behind', async () => {
    const [entry] = await other.ok('list_audit', { action: 'imported', limit: 1 })
    expect(entry).toMatchObject({ action: 'imported', target_type: 'board', fields: ['specboard'] })
  })
})

describe('permissions of import_board', () => {
  test('import_board asks for BOARDS_IMPORT, and for BOARDS_CREATE where it makes a board', async () => {
    const file = new File(['title\nOne\n'], 'plan.csv')
    const refused = async (flags: object, query: object = {}) => {
      const agent = await world.agent({ permission_flags: flags })
      const scene = await Scene.on(world)
      await scene.admit(agent)
      const board_id = 'board_id' in query ? { board_id: scene.boardId } : {}
      const { status, body } = await world.call('import_board', { file, ...query, ...board_id }, { as: agent })
      return [status, body.detail?.permission]
    }
    expect(await refused({ BOARDS_IMPORT: false })).toEqual([403, 'BOARDS_IMPORT'])
    expect(await refused({ BOARDS_CREATE: false })).toEqual([403, 'BOARDS_CREATE'])
    expect(await refused({ BOARDS_CREATE: false }, { dry_run: true })).toEqual([403, 'BOARDS_CREATE'])
    expect(await refused({ BOARDS_CREATE: false }, { board_id: '' })).toEqual([200, undefined])
    expect(await refused({ BOARDS_IMPORT: false }, { board_id: '' })).toEqual([403, 'BOARDS_IMPORT'])
    expect((await into(world, file, { board_id: 'nowhere' })).status).toBe(404)
  })
})

describe('files of other tools', () => {
  const csv = (rows: string) => new File([`id,title,status\n${rows}`], 'plan.csv', { type: 'text/csv' })

  test('become a board, once, with one event a record', async () => {
    const { status, body } = await into(world, csv('1,One,Done\n2,Two,Doing\n'))
    expect([status, body.format, body.created]).toEqual([201, 'csv', { board: 1, spec: 1, card: 2 }])
    const cards = await world.ok('list_cards', { board_id: body.board_id })
    expect(cards).toMatchObject([
      { title: 'Two', status: 'in_progress' },
      { title: 'One', status: 'done' },
    ])
    const { events } = await world.ok('list_board_events', { board_id: body.board_id })
    expect(events).toMatchObject(Array(3).fill({ action: 'imported', details: { source: 'csv' } }))
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3])
    const again = await into(world, csv('1,One,Done\n2,Zwei,Doing\n3,Three,\n'), { board_id: body.board_id })
    expect(again.body).toMatchObject({ created: { card: 1 }, updated: { card: 1 }, unchanged: { card: 1, spec: 1 } })
    expect(
      (await world.ok('list_cards', { board_id: body.board_id })).map(({ title }: { title: string }) => title),
    ).toContain('Zwei')
    const ref = (await world.ok('create_card', { board_id: body.board_id, title: 'New', spec_id: cards[0].spec_id }))
      .ref
    expect(ref).toBe(`${body.key}-5`)
  })

  test.each([
    ['of no format', new File(['\u0000\u0001'], 'x.bin'), {}, /specboard, beads/],
    ['of another format than named', csv('1,One,Done\n'), { format: 'beads' }, /not in the format beads/],
    ['no zip as an archive', csv('1,One,Done\n'), { format: 'specboard' }, /not a zip/],
  ])('%s is refused naming the formats', (_, file, query, message) => expectFormats(file, query, message))

  test('a zip that is no archive, and an archive that is to be another format, are refused naming the formats', async () => {
    await expectFormats(fileOf(await zipOf([['a.txt', 'a']])), { format: 'specboard' }, /not an archive of a board/)
    await expectFormats(archive, { format: 'beads' }, /not beads/)
  })

  async function expectFormats(file: File, query: object, message: RegExp): Promise<void> {
    const { status, body } = await into(world, file, query)
    expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', entry: null, line: null }])
    expect(body.detail.message).toMatch(message)
    expect(body.detail.message).toContain('specboard, beads, backlog-md, task-master, spec-kit, csv')
  }

  test('an unknown format is 422, no file too', async () => {
    expect((await into(world, csv(''), { format: 'jira' })).status).toBe(422)
    expect((await world.call('import_board', {})).status).toBe(422)
  })

  test('an archive above the limit is 413; other files have their own limit, in a zip too', async () => {
    const small = await World.start({ importMaxBytes: 1_000 })
    try {
      for (const query of [{}, { format: 'specboard' }]) {
        const { status, body } = await into(small, archive, query)
        expect([status, body.detail]).toMatchObject([413, { error: 'PAYLOAD_TOO_LARGE', max_bytes: 1_000 }])
      }
      expect((await into(small, csv('1,One,Done\n'))).status).toBe(201)
      const long = randomBytes(2_000).toString('base64')
      const task = `---\nid: task-1\ntitle: One\n---\n\n## Description\n\n${long}\n`
      const folder = fileOf(await zipOf([['backlog/tasks/task-1.md', task]]), 'backlog.zip')
      expect(folder.size).toBeGreaterThan(1_000)
      expect((await into(small, folder)).status).toBe(201)
    } finally {
      await small.stop()
    }
  })
})

describe('hostile archives', () => {
  /** The archive of a small board. */
  let small: File

  beforeAll(async () => {
    const scene = await Scene.on(world)
    await scene.attachment()
    small = await world.archive(scene.boardId)
  })

  const entries = async () => [...(await zipEntries(small))]
  /** Replaces a name in the bytes of a zip with one of the same length. */
  const renamed = (zip: Buffer, from: string, to: string) =>
    Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
  const lineOf = (type: string, change: object) =>
    changedArchive(small, records => {
      Object.assign(
        records.find(record => record.type === type),
        change,
      )
    })

  test.each<[name: string, make: () => Promise<Buffer>, detail: object]>([
    ['cut', async () => Buffer.from(await small.arrayBuffer()).subarray(0, 900), {}],
    ['no zip behind its first bytes', async () => Buffer.from('PK\u0003\u0004 and nothing else'), {}],
    ['an empty zip', () => zipOf([]), {}],
    [
      'an altered entry',
      async () => {
        const changed = (await entries()).map(
          ([name, bytes]) => [name, name === 'records.jsonl' ? '{"type":"board"}\n' : bytes] as const,
        )
        return zipOf(changed)
      },
      { entry: 'records.jsonl' },
    ],
    [
      'an altered byte',
      async () => {
        const bytes = Buffer.from(await small.arrayBuffer())
        const at = bytes.indexOf('records.jsonl') + 400
        bytes[at] = bytes[at]! ^ 0xff
        return bytes
      },
      {},
    ],
    [
      'an altered attachment',
      async () =>
        zipOf(
          (await entries()).map(
            ([name, bytes]) =>
              [name, name.startsWith('attachments/') ? Buffer.alloc(Buffer.from(bytes).length, 'x') : bytes] as const,
          ),
        ),
      { entry: expect.stringMatching(/^attachments\//) },
    ],
    [
      'an attachment that is missing',
      () => lineOf('attachment', { sha256: '0'.repeat(64) }),
      { entry: 'records.jsonl' },
    ],
    ['an unknown entry', async () => zipOf([...(await entries()), ['more.txt', 'x']]), { entry: 'more.txt' }],
    [
      'two entries of one name',
      async () =>
        renamed(
          await zipOf([...(await entries()), ['agents.jsonX', 'x']]),
          'agents.jsonX',
          'agents.jsonl'.slice(0, 12),
        ),
      {},
    ],
    [
      'a way out',
      async () => renamed(await zipOf([...(await entries()), ['aa/evil', 'x']]), 'aa/evil', '../evil'),
      { entry: '../evil' },
    ],
    [
      'a way out in the spelling of another system',
      async () => renamed(await zipOf([...(await entries()), ['aa/evil', 'x']]), 'aa/evil', '..\\evil'),
      { entry: '..\\evil' },
    ],
    [
      'an absolute path',
      async () => renamed(await zipOf([...(await entries()), ['aetc/evil', 'x']]), 'aetc/evil', '/etc/evil'),
      { entry: '/etc/evil' },
    ],
    ['a link', async () => zipOf([['link', '/etc/passwd']], { mode: 0o120777 }), { entry: 'link' }],
    [
      'a bomb',
      async () => zipOf([...(await entries()), ['attachments/zeros', Buffer.alloc(5 << 20)]]),
      { entry: 'attachments/zeros' },
    ],
    [
      'encrypted',
      async () => {
        const zip = await zipOf(await entries())
        for (let at = zip.indexOf('PK\u0001\u0002'); at !== -1; at = zip.indexOf('PK\u0001\u0002', at + 4))
          zip[at + 8]! |= 1
        return zip
      },
      {},
    ],
    [
      'a newer version',
      async () => {
        const [[name, manifest] = ['', ''], ...others] = await entries()
        return zipOf([
          [name, JSON.stringify({ ...JSON.parse(String(manifest)), version: 3, service_version: '9.0.0' })],
          ...others,
        ])
      },
      { entry: 'manifest.json', message: expect.stringContaining('9.0.0') },
    ],
    [
      'an unknown kind',
      () => changedArchive(small, records => void records.push({ type: 'wish', id: 'w' })),
      { entry: 'records.jsonl', line: 6 },
    ],
    [
      'an external id of this service',
      () =>
        changedArchive(small, records => {
          const { id: entity_id, created_at } = records.find(({ type }) => type === 'card')
          const named = { source: 'specboard', external_id: `card ${entity_id}`, entity_type: 'card', entity_id }
          records.push({ type: 'external_id', ...named, imported: {}, created_at })
        }),
      { entry: 'records.jsonl', line: 6 },
    ],
    ...[{ require_task_validation: 'yes' }, { max_scenarios_per_card: -5 }, { min_confidence: 500 }].map(
      settings =>
        [
          `a board with the settings ${JSON.stringify(settings)}`,
          () => lineOf('board', { settings }),
          { entry: 'records.jsonl', line: 1 },
        ] as [string, () => Promise<Buffer>, object],
    ),
    ...(
      [
        ['a title that is too long', 'card', { title: 'x'.repeat(501) }],
        ['a name that is too long', 'board', { name: 'x'.repeat(300) }],
        ['an id that is too long', 'attachment', { id: 'x'.repeat(300) }],
        ['a number from which none can be counted', 'card', { number: 2 ** 53 }],
        ['a last number from which none can be counted', 'board', { last_number: 2 ** 60 }],
        ['a sequence from which none can be counted', 'history', { sequence: 2 ** 52 + 2 }],
      ] as const
    ).map(
      ([name, type, change]) =>
        [name, () => lineOf(type, change), { entry: 'records.jsonl' }] as [string, () => Promise<Buffer>, object],
    ),
    ['a broken schema', () => lineOf('card', { status: 'nearly' }), { entry: 'records.jsonl' }],
    ['a NUL character', () => lineOf('card', { description: 'a\u0000b' }), { entry: 'records.jsonl', line: 3 }],
    ['half of a character', () => lineOf('card', { description: 'a\ud800b' }), { entry: 'records.jsonl', line: 3 }],
    ['an unknown field', () => lineOf('card', { rating: 5 }), { entry: 'records.jsonl' }],
    ['a name of nothing', () => lineOf('card', { spec_id: 'nowhere' }), { entry: 'records.jsonl' }],
    [
      'a stored name with a folder',
      () =>
        changedArchive(small, records => {
          Object.assign(
            records.find(({ type }) => type === 'attachment'),
            { filename: '../../secret.key' },
          )
        }),
      { entry: 'records.jsonl' },
    ],
    [
      'a record twice',
      () => changedArchive(small, records => void records.splice(2, 0, records[1])),
      { entry: 'records.jsonl', line: 3 },
    ],
    ['two records of a number', () => lineOf('card', { number: 1 }), { entry: 'records.jsonl' }],
    [
      'the wrong order',
      () => changedArchive(small, ([board, spec, card, ...rest]) => [board, card, spec, ...rest]),
      { entry: 'records.jsonl', line: 3 },
    ],
    [
      'events out of order',
      () => changedArchive(small, (_, events) => void events.reverse()),
      { entry: 'events.jsonl', line: 2 },
    ],
    [
      'a line that is no JSON',
      async () => {
        const rest = (await entries()).filter(([name]) => name !== 'agents.jsonl')
        const manifest = JSON.parse(String(rest[0]![1]))
        const agents = Buffer.from('{"id":"external:A","name":"A"}\nnonsense\n')
        manifest.entries = manifest.entries.map((entry: { name: string }) =>
          entry.name === 'agents.jsonl'
            ? { name: 'agents.jsonl', size: agents.length, sha256: createHash('sha256').update(agents).digest('hex') }
            : entry,
        )
        return zipOf([['manifest.json', JSON.stringify(manifest)], ...rest.slice(1), ['agents.jsonl', agents]])
      },
      { entry: 'agents.jsonl', line: 2 },
    ],
  ])('%s is refused and leaves nothing', async (_, make, detail) => {
    const empty = other
    const count = await boardsOf(empty)
    const { status, body } = await into(empty, fileOf(await make()))
    expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', ...detail }])
    expect(await boardsOf(empty)).toBe(count)
  })

  test('lists may be longer than what may be sent (trust 1)', async () => {
    const scene = await Scene.on(world)
    await scene.spec()
    const file = await changedArchive(await world.archive(scene.boardId), records => {
      records.find(({ type }) => type === 'spec').functional_requirements = Array(600).fill('It works')
    })
    expect((await into(other, fileOf(file))).status).toBe(201)
  })

  test('circles and dangling dependencies are left out, told but counted', async () => {
    const scene = await Scene.on(world)
    const spec_id = await scene.spec('approved')
    const [a, b] = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    await world.ok('add_card_dependency', { card_id: a, depends_on_id: b })
    const [back, off] = [randomUUID(), randomUUID()]
    const file = await changedArchive(await world.archive(scene.boardId), records => {
      const at = records.findIndex(({ type }) => type === 'dependency')
      const link = records[at]
      records.splice(
        at + 1,
        0,
        { ...link, id: back, card_id: b, depends_on_id: a },
        { ...link, id: off, depends_on_id: randomUUID() },
      )
    })
    const { status, body } = await into(other, fileOf(file))
    expect([status, body.created.dependency, body.skipped.dependency]).toEqual([201, 1, 2])
    expect(body.problems).toMatchObject([
      { id: back, severity: 'skipped' },
      { id: off, severity: 'skipped' },
    ])
  })
})

describe('an archive whose log had old entries archived (work 5.1)', () => {
  test('is imported with its gaps, and says up to where entries are missing', async () => {
    let archivedUpTo = 0
    const thinned = await changedArchive(archive, (_, events) => {
      archivedUpTo = events.splice(2, 3).at(-1).sequence
    })
    const { status, body } = await into(other, fileOf(thinned), { keep_ids: false })
    expect([status, body]).toEqual([201, expect.anything()])
    const listed = await other.ok('list_board_events', { board_id: body.board_id })
    expect(listed).toMatchObject({ archived_up_to: archivedUpTo })
  })
})
