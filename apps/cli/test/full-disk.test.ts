import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onPostgres } from '@specboard/storage/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { attachmentFindings } from '../src/file-findings.ts'
import { eventually } from './support/eventually.ts'
import { Scene } from './support/scene.ts'
import { type TestAnswer, World } from './support/world.ts'

const megabytes = 16
const disk = mkdtempSync(join(tmpdir(), 'specboard-full-disk-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]).status === 0
const filler = join(disk, 'filler')
const dataDir = join(disk, 'data')

/** Fills the disk up to some free bytes. */
function fillTo(free: number): void {
  try {
    writeFileSync(filler, Buffer.alloc(megabytes << 20))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
  truncateSync(filler, statSync(filler).size - free)
}

describe.skipIf(onPostgres || !mounted)('a full disk (needs permission to mount a small one)', () => {
  let world: World
  let scene: Scene
  let card_id: string

  beforeAll(async () => {
    world = await World.start({ dataDir })
    scene = await Scene.on(world)
    card_id = await scene.card()
  })

  afterEach(() => rmSync(filler, { force: true }))

  afterAll(async () => {
    await world.stop()
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  const upload = (bytes: number, headers = {}) =>
    world.call(
      'upload_attachment',
      { board_id: scene.boardId, card_id, file: new File([Buffer.alloc(bytes, 'x')], 'big.txt') },
      { headers },
    )
  const files = () =>
    readdirSync(join(dataDir, 'attachments'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const isFull = ({ status, headers, body }: TestAnswer) => {
    expect([status, body?.detail?.error]).toEqual([503, 'STORAGE_FULL'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }

  test('an attachment for which there is no room leaves neither file nor row; reads go on, writes resume', async () => {
    const attachment = (await upload(1_000)).body
    fillTo(512 << 10)
    isFull(await upload(4 << 20, { 'idempotency-key': 'full' }))
    expect(files()).toHaveLength(1)
    const card = await world.ok('get_card', { card_id })
    expect(card.attachments.map(({ id }: { id: string }) => id)).toEqual([attachment.id])
    expect(await attachmentFindings({ dataDir, attachmentsUrl: undefined })).toMatchObject([{ ok: true }, { ok: true }])
    const download = await world.call('download_attachment', {
      board_id: scene.boardId,
      card_id,
      attachment_id: attachment.id,
    })
    expect([download.status, download.body.length]).toEqual([200, 1_000])
    rmSync(filler)
    expect((await upload(4 << 20, { 'idempotency-key': 'full' })).status).toBe(201)
    expect(await attachmentFindings({ dataDir, attachmentsUrl: undefined })).toMatchObject([{ ok: true }, { ok: true }])
  })

  test('it is alive and not ready while there is no room, and ready again afterwards', async () => {
    const get = async (path: string) => {
      const response = await fetch(`${world.running.url}${path}`)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    expect(await get('/ready')).toMatchObject({ status: 200, body: { ready: true } })
    fillTo(0)
    const refusal = 'writes are refused: the disk is full'
    await eventually(async () => {
      // The log has some room of its own, which the probe and other writes use up.
      await upload(0)
      expect(await get('/ready')).toMatchObject({
        status: 503,
        body: { ready: false, problems: [refusal, expect.any(String)] },
      })
    })
    const health = await get('/health')
    expect(health).toMatchObject({ status: 200, body: { status: 'degraded' } })
    expect(health.body.problems).toContain('the disk of the data folder has 0 MiB left: make room')
    rmSync(filler)
    await eventually(async () => expect(await get('/ready')).toMatchObject({ status: 200, body: { ready: true } }))
  })

  test('an attachment whose row finds no room leaves no file', async () => {
    const before = files().length
    fillTo(0)
    // An empty file needs no room of its own; its row does, as soon as the log has to grow.
    const outcomes: TestAnswer[] = []
    while (outcomes.at(-1)?.status !== 503) outcomes.push(await upload(0))
    isFull(outcomes.at(-1)!)
    const stored = outcomes.filter(({ status }) => status === 201).length
    expect(files()).toHaveLength(before + stored)
    expect(await attachmentFindings({ dataDir, attachmentsUrl: undefined })).toMatchObject([{ ok: true }, { ok: true }])
    rmSync(filler)
    expect((await upload(10)).status).toBe(201)
  })

  test('rows for which there is no room: nothing of them is stored', async () => {
    const ideations = async () => (await world.ok('list_ideations', { board_id: scene.boardId })).length
    const before = await ideations()
    fillTo(0)
    const text = 'x'.repeat(200_000)
    const texts = { description: text, problem_statement: text }
    isFull(await world.call('create_ideation', { board_id: scene.boardId, title: 'Too large', ...texts }))
    expect(await ideations()).toBe(before)
    rmSync(filler)
    await world.ok('create_ideation', { board_id: scene.boardId, title: 'Fits again', ...texts })
    expect(await ideations()).toBe(before + 1)
  })
})
