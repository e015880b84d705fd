import { describe, expect, test } from 'vitest'
import { type Handler, Routes } from './routes.ts'

/** A handler that leaves its name behind. */
const named =
  (name: string): Handler =>
  async exchange => {
    exchange.agentId = name
  }

const routes = new Routes()
for (const [method, path] of [
  ['GET', '/boards'],
  ['POST', '/boards'],
  ['GET', '/boards/{board_id}'],
  ['GET', '/boards/shared'],
  ['GET', '/boards/{board_id}/cards/{card_id}'],
  ['GET', '/{board_id}/lineage'],
] as const)
  routes.add(method, path, named(`${method} ${path}`))
routes.addRest('/boards', named('rest'))

/** Which route takes a request, and with what values. */
async function taken(method: string, path: string) {
  const found = routes.find(method, path)
  const exchange = { agentId: undefined as string | undefined }
  // These handlers read nothing of an exchange but what they write.
  await found?.handler(exchange as never, found.params)
  return found === undefined ? undefined : [exchange.agentId, found.params]
}

describe('a request', () => {
  test.each<[string, string, unknown]>([
    ['GET', '/boards', ['GET /boards', {}]],
    ['HEAD', '/boards', ['GET /boards', {}]],
    ['POST', '/boards', ['POST /boards', {}]],
    ['DELETE', '/boards', ['rest', {}]],
    ['GET', '/boards/a', ['GET /boards/{board_id}', { board_id: 'a' }]],
    ['GET', '/boards/a%2Fb', ['GET /boards/{board_id}', { board_id: 'a/b' }]],
    ['GET', '/boards/%zz', ['GET /boards/{board_id}', { board_id: '%zz' }]],
    ['GET', '/boards/__proto__', ['GET /boards/{board_id}', { board_id: '__proto__' }]],
    ['GET', '/boards/shared', ['GET /boards/shared', {}]],
    ['GET', '/boards/shared/cards/c', ['GET /boards/{board_id}/cards/{card_id}', { board_id: 'shared', card_id: 'c' }]],
    ['GET', '/boards/lineage', ['GET /boards/{board_id}', { board_id: 'lineage' }]],
    ['GET', '/b/lineage', ['GET /{board_id}/lineage', { board_id: 'b' }]],
    ['GET', '/boards/', undefined],
    ['GET', '/boards//cards/c', undefined],
    ['GET', '/boards/a/cards', undefined],
    ['POST', '/boards/a', undefined],
    ['GET', '/', undefined],
    ['GET', '*', undefined],
  ])('%s %s', async (method, path, route) => {
    expect(await taken(method, path)).toEqual(route)
  })
})
