import { type OperationName, registry } from '@specboard/contract'
import { rows } from '../operations/rows.ts'
import { Scene } from './scene.ts'
import type { World } from './world.ts'

/** Operations that would end the board or the caller. */
const ending: ReadonlySet<string> = new Set(['delete_board', 'export_board', 'import_board'])

/** A board on which every operation was called once: every kind of record, in every state that they lead to. */
export async function fullBoard(world: World): Promise<Scene> {
  const scene = await Scene.on(world)
  for (const { name, kind } of registry) {
    if (ending.has(name) || kind === 'events') continue
    const args = await rows[name as OperationName].args(scene, world.owner)
    await world.call(name as OperationName, args)
  }
  await scene.consolidated()
  return scene
}
