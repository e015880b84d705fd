import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OperationName, registry } from '@specboard/contract'
import { rows } from '../operations/rows.ts'
import { Scene } from './scene.ts'
import { graphAtWork, World } from './world.ts'

/** A server, and a board with everything on it. */
export interface Full {
  readonly world: World
  readonly full: Scene
}

/** The full board of a kept folder, and the key of its owner. */
interface Kept {
  readonly boardId: string
  readonly key: string
}

/** Operations that would end the board or the caller. */
const ending: ReadonlySet<string> = new Set(['delete_board', 'export_board', 'import_board'])

/**
 * A server of its own with a board on which every operation was called once: every kind of record, in every state that
 * they lead to. The first one of a run is kept, and the others start on copies of its folder.
 */
export async function startFull(): Promise<Full> {
  const run = process.env.SPECBOARD_TEST_RUN
  if (run === undefined || process.env.SPECBOARD_TEST_ENGINE === 'postgres') return makeFull()
  const template = join(run, 'full-board')
  if (!existsSync(template)) await keepFull(template)
  const { boardId, key }: Kept = JSON.parse(await readFile(join(template, 'board.json'), 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'specboard-test-'))
  await cp(join(template, 'data'), folder, { recursive: true })
  const world = await World.on(folder, graphAtWork, key)
  return { world, full: Scene.of(world, boardId) }
}

async function makeFull(): Promise<Full> {
  const world = await World.start(graphAtWork)
  return { world, full: await fullBoard(world) }
}

/** Creates the folder to copy atomically: another process may create it too, and either one will do. */
async function keepFull(template: string): Promise<void> {
  const { world, full } = await makeFull()
  await world.running.stop()
  const own = `${template}-${randomUUID()}`
  await mkdir(own)
  await rename(world.folder, join(own, 'data'))
  await writeFile(
    join(own, 'board.json'),
    JSON.stringify({ boardId: full.boardId, key: world.owner.key } satisfies Kept),
  )
  await rename(own, template).catch(async error => {
    if (!existsSync(template)) throw error
    await rm(own, { recursive: true })
  })
}

async function fullBoard(world: World): Promise<Scene> {
  const scene = await Scene.on(world)
  for (const { name, kind } of registry) {
    if (ending.has(name) || kind === 'events') continue
    const args = await rows[name as OperationName].args(scene, world.owner)
    await world.call(name as OperationName, args)
  }
  await proveAndFinish(scene)
  await scene.consolidated()
  return scene
}

/** Finishes a small change for which a command has passed: no single call makes a card that was done with evidence. */
async function proveAndFinish(scene: Scene): Promise<void> {
  const { world, boardId: board_id } = scene
  const card_id = await scene.smallChange()
  const { id: run_id } = await world.ok('begin_proof_run', { board_id, command: 'pnpm test', for: [card_id] })
  await world.ok('finish_proof_run', { run_id, exit_code: 0 })
  await world.ok('move_card', { card_id, target_status: 'started' })
  await world.ok('move_card', {
    card_id,
    target_status: 'done',
    conclusion: 'Done.',
    check: { how: 'by hand', result: 'passed' },
  })
}
