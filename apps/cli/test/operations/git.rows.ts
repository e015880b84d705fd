import { randomUUID } from 'node:crypto'
import { forgeSecret, sendEvent, settled } from '../support/forge.ts'
import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

/** A name that no other repository has. */
const unused = () => `shop-${randomUUID().replace(/^(.{14})./, '$17')}`

/** More would come near the maximum of a board. */
const many = 80

/** Makes room where earlier calls made many. */
async function makeRoom({ world, boardId: board_id }: Scene): Promise<void> {
  const repositories: { readonly id: string }[] = await world.ok('list_repositories', { board_id })
  if (repositories.length > many)
    for (const { id } of repositories) await world.ok('delete_repository', { repository_id: id })
}

/** A new repository. */
const repository = async (scene: Scene) => {
  await makeRoom(scene)
  const url = `https://github.com/acme/${unused()}.git`
  const { id } = await scene.world.ok('create_repository', { board_id: scene.boardId, url })
  return { repository_id: id as string }
}

/** A repository with two commits, the first of them linked to a card. */
const changed = async (scene: Scene) => {
  const { repository_id } = await repository(scene)
  const card_id = await scene.smallChange()
  const { ref } = await scene.world.ok('get_card', { card_id })
  const [one, two] = [`${randomUUID()}`, `${randomUUID()}`].map(id => id.replaceAll('-', '').padEnd(40, '0'))
  const commits = [
    { sha: one, parents: [], subject: `Fix ${ref}`, author_email: 'ada@example.com', branch: 'main' },
    { sha: two, parents: [one], subject: 'More' },
  ]
  await scene.world.ok('record_changes', { board_id: scene.boardId, repository_id, commits })
  const [{ id }] = await scene.world.ok('list_changes', { board_id: scene.boardId, sha: one })
  return { repository_id, card_id, change_id: id as string }
}

/** A repository with an event that could not be read. */
const failed = async (scene: Scene) => {
  const { repository_id } = await forgeRepository(scene)
  const { delivery_id } = await sendEvent(scene.world, repository_id, { event: 'push', payload: { ref: 1 } })
  await settled(scene.world, repository_id)
  const deliveries: { id: string; delivery_id: string }[] = await scene.world.ok('list_forge_deliveries', {
    repository_id,
  })
  return { repository_id, delivery_id: deliveries.find(each => each.delivery_id === delivery_id)!.id }
}

const forgeRepository = async (scene: Scene) => {
  await makeRoom(scene)
  const url = 'https://github.com/acme/shop.git'
  const fields = { board_id: scene.boardId, url, name: unused(), webhook_secret: forgeSecret }
  const { id } = await scene.world.ok('create_repository', fields)
  return { repository_id: id as string }
}

const linkedCard = async (scene: Scene) => {
  const { change_id, card_id } = await changed(scene)
  return { change_id, entity_type: 'card', entity_id: card_id }
}

export const git: Rows<'git'> = {
  create_repository: {
    args: async scene => {
      await makeRoom(scene)
      return {
        board_id: scene.boardId,
        // Its place among the others is the same every time.
        name: `a ${unused()}`,
        url: 'git@git.example.com:acme/shop.git',
        forge: 'forgejo',
        path_prefix: 'apps/web/',
        required_checks: ['build'],
      }
    },
  },
  list_repositories: {
    args: async scene => {
      await repository(scene)
      return { board_id: scene.boardId }
    },
  },
  get_repository: { args: repository },
  update_repository: {
    args: async scene => ({ ...(await repository(scene)), default_branch: 'trunk', active: false }),
  },
  delete_repository: { args: repository },
  rotate_repository_secret: {
    args: async scene => ({ ...(await repository(scene)), webhook_secret: 'a secret of our own', overlap_hours: 2 }),
  },
  list_forge_deliveries: {
    args: async scene => {
      const { repository_id } = await failed(scene)
      return { repository_id, status: 'failed' }
    },
  },
  retry_forge_delivery: { args: failed },
  record_changes: {
    args: async scene => ({
      board_id: scene.boardId,
      ...(await repository(scene)),
      commits: [{ sha: 'a'.repeat(40), parents: [], subject: 'First', branch: 'main' }],
    }),
  },
  list_changes: {
    args: async scene => {
      const { card_id } = await changed(scene)
      return { board_id: scene.boardId, record: card_id }
    },
  },
  get_change: {
    args: async scene => {
      const { change_id } = await changed(scene)
      return { change_id }
    },
  },
  link_change: { args: linkedCard },
  unlink_change: { args: linkedCard },
  list_authors: {
    args: async scene => {
      await changed(scene)
      return { board_id: scene.boardId }
    },
  },
  put_authors: {
    args: scene => ({
      board_id: scene.boardId,
      authors: [{ email: 'Ada@example.com', agent_id: scene.world.owner.id }],
    }),
  },
}
