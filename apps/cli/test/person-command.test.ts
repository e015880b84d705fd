import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { freePort } from './support/free-port.ts'
import { Person } from './support/person.ts'
import { World } from './support/world.ts'

let world: World
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  world = await World.start({ port, publicUrl: url })
})

afterAll(() => world.stop())

const run = (...args: readonly string[]) =>
  runCommandIn({ variables: { ...world.variables } }, ...args, '--data-dir', world.folder, '--json')

const withUrl = (...args: readonly string[]) => run(...args, '--public-url', url)

test('a person is made on the machine, signs in by its link, and is linked again (people 1.2)', async () => {
  const person = JSON.parse((await withUrl('person', 'add', 'Ada', '--email', 'ada@example.com')).output)
  expect(person).toMatchObject({
    name: 'Ada',
    handle: 'ada',
    preset: 'Reporter',
    url: expect.stringContaining(`${url}/#`),
  })
  const ada = await Person.byLink(world, person.url)
  expect(await ada.ok('get_my_permissions')).toMatchObject({ agent_id: person.id, agent_name: 'Ada' })
  const again = JSON.parse((await withUrl('person', 'link', '@ada')).output)
  expect(await (await Person.byLink(world, again.url)).ok('list_my_sessions')).toHaveLength(2)
  await expect(Person.byLink(world, again.url)).rejects.toThrow('401')
  const { items } = JSON.parse((await run('person', 'list')).output)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Local Owner', 'Ada'])
  expect(items[1]).toMatchObject({ id: person.id, email: 'ada@example.com', has_key: false, identities: 0 })
  const [entry] = await world.ok('list_audit', { action: 'person_created' })
  expect(entry).toMatchObject({ target_id: person.id, actor_via: 'service' })
})

test('who is not there, a wrong address and a wrong preset are refused', async () => {
  for (const args of [
    ['person', 'link', 'Nobody'],
    ['person', 'add', 'Bob', '--email', 'bob'],
    ['person', 'add', 'Bob', '--preset', 'King'],
  ])
    expect((await withUrl(...args)).code).not.toBe(0)
})

test('a client that is registered by hand exchanges its code with its secret (people 3.6)', async () => {
  const redirect = 'https://client.example.com/callback'
  const refused = await run('oauth', 'client', 'add', 'Bad', '--redirect', 'javascript:alert(1)')
  expect(refused.code).toBe(2)
  const { client_id, client_secret } = JSON.parse(
    (await run('oauth', 'client', 'add', 'Claude', '--redirect', redirect)).output,
  )
  const authorization = new URL(`${url}/authorize`)
  authorization.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()
  const page = await fetch(authorization, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining('/connect/')])
  const token = (secret: string) =>
    fetch(`${url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x'.repeat(43), redirect_uri: redirect }),
    })
  expect((await token('wrong')).status).toBe(401)
  const response = await token(client_secret)
  expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_grant' }])
})
