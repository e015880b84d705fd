import { createClient } from '@specboard/client'
import { makeBoard } from '../bench/boards.ts'
import { startProduct } from '../bench/processes.ts'
import { graphBuilt, hastyGraph } from '../graph-built.ts'

/** A board with its graph in a data folder that no server holds. */
export interface SeededBoard {
  readonly folder: string
  readonly key: string
  readonly board_id: string
}

/** Makes a board of so many specs, ten cards on each, and lets its graph follow. */
export async function seedBoard(folder: string, specs: number): Promise<SeededBoard> {
  const server = await startProduct(folder, hastyGraph)
  const client = createClient({ url: server.url, key: server.key! })
  const { board_id } = await makeBoard(client, specs)
  await graphBuilt(client)
  await server.stop()
  return { folder, key: server.key!, board_id }
}
