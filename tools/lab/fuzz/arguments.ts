import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnyOperation, type OperationName, operationByName } from '@specboard/contract'
import { rows } from '../../../apps/cli/test/operations/rows.ts'
import { Scene } from '../../../apps/cli/test/support/scene.ts'
import type { World } from '../../../apps/cli/test/support/world.ts'

/** How many cases share a board, so that its lists stay short. */
const casesPerBoard = 50

/** Serves arguments with which operations succeed. */
export interface ArgumentsServer {
  readonly url: string
  close(): void
}

/**
 * Serves, under the name of each operation, the arguments of a call that succeeds, on records made for it: those of
 * the table-driven tests.
 */
export async function serveArguments(world: World): Promise<ArgumentsServer> {
  let scene = await Scene.on(world)
  let cases = 0
  const server = createServer(async (request, response) => {
    try {
      if (++cases % casesPerBoard === 0) scene = await Scene.on(world)
      const operation = operationByName.get(request.url!.slice(1))!
      // A case may have changed the board so that the call would be refused.
      const found = await argumentsOf(operation, scene).catch(async () => {
        scene = await Scene.on(world)
        return argumentsOf(operation, scene)
      })
      response.end(JSON.stringify(found))
    } catch (error) {
      console.error(`${request.url}: ${error}`)
      response.writeHead(500).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function argumentsOf({ name, params, query }: AnyOperation, scene: Scene): Promise<object> {
  const { file: _, ...args } = await rows[name as OperationName].args(scene, scene.world.owner)
  const entries = Object.entries(args)
  const place = (key: string) => (key in params ? 'path' : key in query ? 'query' : 'body')
  const among = (part: string) => Object.fromEntries(entries.filter(([key]) => place(key) === part))
  return { path: among('path'), query: among('query'), body: among('body') }
}
