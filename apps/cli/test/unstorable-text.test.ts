import { type AnyOperation, operationByName } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const id = '0192d5c0-0000-7000-8000-000000000001'

/** The address of an operation with a text in place of one parameter of its path. */
const pathOf = ({ path }: AnyOperation, name: string, text: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, each: string) => (each === name ? text : id))

async function statusOf({ method }: AnyOperation, address: string): Promise<number> {
  const headers = { authorization: `Bearer ${world.owner.key}` }
  const answer = await fetch(`${world.running.url}${address}`, { method, headers })
  await answer.body?.cancel()
  return answer.status
}

/** Only ends a test that would wait for ever, ms: on PostgreSQL each request looks its key up. */
const limit = 240_000

test(
  'NUL and half of a surrogate pair in any path or query are 422 (walls 6)',
  async () => {
    let total = 0
    const others: string[] = []
    for (const operation of operationByName.values()) {
      const addresses = ['a%00b', '%ED%A0%80'].flatMap(text => [
        ...Object.keys(operation.params).map(name => pathOf(operation, name, text)),
        ...Object.keys(operation.query).map(name => `${pathOf(operation, '', '')}?${name}=${text}`),
      ])
      const statuses = await Promise.all(addresses.map(address => statusOf(operation, address)))
      total += addresses.length
      for (const [index, status] of statuses.entries())
        if (status !== 422) others.push(`${status} ${operation.name} ${addresses[index]}`)
    }
    expect(total).toBeGreaterThan(500)
    expect(others).toEqual([])
  },
  limit,
)

test('texts that only look like it pass', async () => {
  for (const text of ['%ED%95%9C', '%25ed%25a0', '%F0%9F%98%80'])
    expect(
      (await fetch(`${world.running.url}/api/v1/boards/${text}`, { headers: { 'x-api-key': world.owner.key } })).status,
    ).toBe(404)
})
