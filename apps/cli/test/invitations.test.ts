import { builtinPresets } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let owner: Person

const executor = builtinPresets.find(({ name }) => name === 'Executor')!.id

beforeAll(async () => {
  world = await World.start()
  owner = await Person.owner(world)
})

afterAll(() => world.stop())

const tokenOf = (url: string): string => url.slice(url.indexOf('#') + 1)

const posted = (path: string, body: unknown, at = world, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${at.running.url}${path}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
const bodyOf = (response: Response): Promise<any> => response.json()

const expectGone = async (response: Response): Promise<void> => {
  expect([response.status, (await bodyOf(response)).detail.error]).toEqual([410, 'INVITATION_GONE'])
}

test('an invitation makes one person, with its preset and boards (people 2.6)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const invitation = await owner.ok('create_invitation', { name: 'Ada', preset_id: 'Executor', boards: [{ board_id }] })
  expect(invitation).toMatchObject({
    name: 'Ada',
    email: null,
    preset_id: executor,
    boards: [{ board_id, share: 'editor' }],
    invited_by: world.owner.id,
    accepted_at: null,
    url: expect.stringMatching(/^https:\/\/board\.example\.com\/invite#[\w-]{43}$/),
  })
  const token = tokenOf(invitation.url)
  const response = await posted('/web/invitation', { token })
  expect([response.status, await bodyOf(response)]).toEqual([
    200,
    {
      invited_by_name: 'Local Owner',
      name: 'Ada',
      boards: [{ name: 'Scene', share: 'editor' }],
      preset_name: 'Executor',
      providers: [],
    },
  ])
  const answers = await Promise.all([1, 2, 3].map(() => posted('/web/session/invitation', { token, name: 'Ada L' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
  const { agent_id, agent_name } = await bodyOf(answers.find(({ status }) => status === 200)!)
  expect(agent_name).toBe('Ada L')
  expect(await world.ok('get_agent', { agent_id })).toMatchObject({
    kind: 'person',
    handle: 'ada-l',
    preset_id: executor,
    created_by: world.owner.id,
    has_key: false,
  })
  const shares = await world.ok('list_board_shares', { board_id })
  expect(shares).toMatchObject([{ user_id: agent_id, permission: 'editor', shared_by: world.owner.id }])
  await expectGone(await posted('/web/invitation', { token }))
  expect(await owner.ok('list_invitations')).toEqual([])
  expect(await owner.ok('list_invitations', { all: true })).toMatchObject([
    { id: invitation.id, accepted_by: agent_id },
  ])
  const actions = (await world.ok('list_audit', { target_id: invitation.id })).map(
    ({ action }: { action: string }) => action,
  )
  expect(actions).toEqual(['invitation_accepted', 'invitation_created'])
})

test('a person who is on the board gets what the invitation allows more, and keeps what it allows less', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const ada = await owner.ok('create_agent', { name: 'Ada Raised', kind: 'person' })
  const { id } = await world.ok('create_board_share', { board_id, user_id: ada.id, permission: 'viewer' })
  const { url } = await owner.ok('create_sign_in_link', { agent_id: ada.id })
  const person = await Person.byLink(world, url)
  for (const [share, after] of [
    ['editor', 'editor'],
    ['viewer', 'editor'],
    ['admin', 'admin'],
  ]) {
    const invitation = await owner.ok('create_invitation', { preset_id: executor, boards: [{ board_id, share }] })
    const body = { token: tokenOf(invitation.url), name: 'Ada' }
    const response = await posted('/web/session/invitation', body, world, person.page.headers)
    expect(response.status).toBe(200)
    expect(await world.ok('list_board_shares', { board_id })).toMatchObject([{ id, permission: after }])
  }
})

test('a present person takes one without a name; a new person needs one (people 2.6)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const ada = await owner.ok('create_agent', { name: 'Ada Named', kind: 'person' })
  const person = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url)
  const { url } = await owner.ok('create_invitation', { preset_id: executor, boards: [{ board_id }] })
  const token = tokenOf(url)
  const nameless = await posted('/web/session/invitation', { token })
  expect([nameless.status, (await bodyOf(nameless)).detail]).toEqual([
    422,
    [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }],
  ])
  const response = await posted('/web/session/invitation', { token }, world, person.page.headers)
  expect([response.status, (await bodyOf(response)).agent_name]).toEqual([200, 'Ada Named'])
  expect(await world.ok('list_board_shares', { board_id })).toMatchObject([{ user_id: ada.id, permission: 'editor' }])
})

test('unknown, revoked and expired ones are gone alike (people 2.6)', async () => {
  await expectGone(await posted('/web/invitation', { token: 'x'.repeat(43) }))
  const invitation = await owner.ok('create_invitation', { preset_id: executor })
  expect((await owner.call('revoke_invitation', { invitation_id: invitation.id })).status).toBe(204)
  await expectGone(await posted('/web/session/invitation', { token: tokenOf(invitation.url), name: 'Eve' }))
  expect((await owner.call('revoke_invitation', { invitation_id: invitation.id })).status).toBe(404)
})

test('nobody invites beyond their own rights, and what they lost is not given (people 2.6)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const preset = await world.ok('create_preset', {
    name: 'Inviter',
    flags: { PEOPLE_INVITE: true, BOARDS_READ: true, BOARDS_SHARE: true },
  })
  const ada = await owner.ok('create_agent', { name: 'Inviter', kind: 'person', preset_id: preset.id })
  const share = await world.ok('create_board_share', { board_id, user_id: ada.id, permission: 'admin' })
  const inviter = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url)
  const tooMuch = await inviter.call('create_invitation', { preset_id: executor })
  expect([tooMuch.status, tooMuch.body.detail.error]).toEqual([403, 'FORBIDDEN'])
  const { url } = await inviter.ok('create_invitation', { preset_id: preset.id, boards: [{ board_id }] })
  await world.ok('delete_board_share', { board_id, share_id: share.id })
  const { boards } = await bodyOf(await posted('/web/invitation', { token: tokenOf(url) }))
  expect(boards).toEqual([])
})

test('who leaves takes back what is open, and it does not return with them (people 7.1)', async () => {
  const ada = await owner.ok('create_agent', { name: 'Leaver', kind: 'person' })
  const link = async () => (await owner.ok('create_sign_in_link', { agent_id: ada.id })).url
  const inviter = await Person.byLink(world, await link())
  const { id, url } = await inviter.ok('create_invitation', { preset_id: executor })
  const another = await owner.ok('create_invitation', { preset_id: executor })
  const open = await link()
  await owner.ok('update_agent', { agent_id: ada.id, is_active: false })
  const listed = await owner.ok('list_invitations')
  expect(listed.map((one: { id: string }) => one.id)).toContain(another.id)
  expect(listed.map((one: { id: string }) => one.id)).not.toContain(id)
  expect(await owner.ok('list_audit', { target_id: id, action: 'invitation_revoked' })).toHaveLength(1)
  await owner.ok('update_agent', { agent_id: ada.id, is_active: true })
  await expectGone(await posted('/web/invitation', { token: tokenOf(url) }))
  expect((await posted('/web/session/link', { token: tokenOf(open) })).status).toBe(401)
})

test('without an address there are no invitations (people)', async () => {
  const local = await World.start({ publicUrl: undefined })
  try {
    const person = await Person.owner(local)
    expect((await person.call('create_invitation', { preset_id: executor })).status).toBe(404)
    for (const path of ['/web/invitation', '/web/session/invitation']) {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
      expect((await fetch(`${local.running.url}${path}`, request)).status).toBe(404)
    }
  } finally {
    await local.stop()
  }
})
