import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgeSecret, sendEvent, settled } from './support/forge.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const sha = (digit: string) => digit.repeat(40)

const commit = (digit: string, author_email: string, committed_at: string) => ({
  sha: sha(digit),
  parents: [],
  subject: `Work ${digit}`,
  author_name: 'Ada',
  author_email,
  committed_at,
})

test('the ranking of agents tells what they brought into repositories, and how long it took (git 9)', async () => {
  const scene = await Scene.on(world)
  const { boardId: board_id } = scene
  const [ada, eve] = [await world.agent(), await world.agent()]
  for (const agent of [ada, eve]) await scene.admit(agent)
  const repository = await world.ok('create_repository', {
    board_id,
    url: 'https://github.com/acme/shop',
    webhook_secret: forgeSecret,
  })
  await world.ok('put_authors', { board_id, authors: [{ login: 'ada', agent_id: ada.id }] })
  const email = `${ada.id}@specboard`
  const day = '2026-11-20T10:00:00.000Z'
  await world.ok('record_changes', {
    board_id,
    repository_id: repository.id,
    commits: [commit('a', email, day), commit('b', email, day), commit('c', 'nobody@example.org', day)],
  })
  const card_id = await scene.smallChange()
  const { ref } = await world.ok('get_card', { card_id })
  await world.ok('move_card', { card_id, target_status: 'started' })
  const merged_at = new Date(Date.now() + 7_200_000).toISOString().replace(/\.\d+Z$/, 'Z')
  const merge = (number: number, title: string) => {
    const payload = {
      action: 'closed',
      number,
      pull_request: {
        number,
        state: 'closed',
        title,
        draft: false,
        merged: true,
        merged_at,
        merge_commit_sha: sha('d'),
        updated_at: merged_at,
        user: { login: 'ada' },
        head: { ref: `work-${number}`, sha: sha('e'), repo: { full_name: 'acme/shop' } },
        base: { ref: 'main', sha: sha('f'), repo: { full_name: 'acme/shop' } },
      },
    }
    return sendEvent(world, repository.id, { event: 'pull_request', payload })
  }
  await merge(12, `Sum (${ref})`)
  await merge(13, 'Something else')
  await settled(world, repository.id)

  const ranking = await world.ok('get_agent_analytics', { board_id })
  expect(ranking.find((row: { actor_id: string }) => row.actor_id === ada.id)).toMatchObject({
    total_cards: 0,
    commits: 2,
    merged_pull_requests: 2,
    hours_to_merge: 2,
  })
  expect(ranking.some((row: { actor_id: string }) => row.actor_id === eve.id)).toBe(false)
  const before = await world.ok('get_agent_analytics', { board_id, to: '2026-11-19' })
  expect(before.some((row: { actor_id: string }) => row.actor_id === ada.id)).toBe(false)

  await world.ok('update_agent', { agent_id: eve.id, permission_flags: { CHANGES_READ: false } })
  for (const row of await world.ok('get_agent_analytics', { board_id }, { as: eve }))
    expect(row).toMatchObject({ commits: null, merged_pull_requests: null, hours_to_merge: null })
})
