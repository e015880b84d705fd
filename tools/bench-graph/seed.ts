import { createClient } from '@specboard/client'
import { makeBoard } from '../bench/boards.ts'
import { startProduct } from '../bench/processes.ts'
import { graphBuilt, hastyGraph } from '../graph-built.ts'

/** A board with its graph in a data folder that no server is using. */
export interface SeededBoard {
  readonly folder: string
  readonly key: string
  readonly board_id: string
}

/** Creates a board with the given number of specs, ten cards on each, and waits for its graph. */
export async function seedBoard(folder: string, specs: number): Promise<SeededBoard> {
  const server = await startProduct(folder, hastyGraph)
  const client = createClient({ url: server.url, key: server.key! })
  const { board_id } = await makeBoard(client, specs)
  await graphBuilt(client)
  await server.stop()
  return { folder, key: server.key!, board_id }
}
