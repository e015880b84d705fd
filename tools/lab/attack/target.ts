import type { Client } from '@specboard/client'
import type { Service } from '../harness/service.ts'

/**
 * The senders: without a key, with an empty preset, with a share, without a preset, or with the permissions to read and
 * import boards.
 */
export type Sender = 'nobody' | 'none' | 'viewer' | 'editor' | 'full' | 'importer'

/** What an attack may use: a service, its owner, and keys with few permissions. */
export interface Target {
  readonly url: string
  /** The folder that contains only the service's own folder. */
  readonly root: string
  /** The address of its database on PostgreSQL. */
  readonly databaseUrl: string | undefined
  readonly owner: Client
  readonly ownerKey: string
  readonly keys: Readonly<Record<Sender, string | undefined>>
  readonly boardId: string
  readonly specId: string
  readonly cardId: string
  /** The archive of a deleted board with a spec and a card. */
  readonly archive: Blob
  /** The archive of the attacked board, exported by its owner. */
  readonly ownArchive: Blob
  /** A board that no attacker sees. */
  readonly otherBoardId: string
}

/** Where a service runs. */
export interface ServiceLocation {
  readonly server: Service
  /** The folder above that of its data. */
  readonly root: string
  readonly databaseUrl: string | undefined
}

/** A CSV file with one card, which the owner has imported. */
export const table = (title: string, status: string): string => `id,title,status\n1,${title},${status}\n`

/** Creates a board with a spec and a card, and agents with shares of it. */
export async function targetOn({ server, root, databaseUrl }: ServiceLocation): Promise<Target> {
  const { url, client: owner, key } = server
  const ownerKey = key!
  const board = await owner.createBoard({ name: 'Attacked', description: '' })
  const other = await owner.createBoard({ name: 'Elsewhere', description: '' })
  for (let index = 0; index < 200; index++)
    await owner.createIdeation({
      board_id: board.id,
      title: `Idea ${index}`,
      description: 'To have something to search.',
    })
  const spec = await owner.createSpec({ board_id: board.id, title: 'Attacked', status: 'approved' })
  const card = await owner.createCard({ board_id: board.id, spec_id: spec.id, title: 'Attacked' })
  await owner.createComment({ card_id: card.id, content: 'Said by the owner' })
  await owner.importBoard({ board_id: board.id, file: new File([table('Imported', 'todo')], 'a.csv') })
  const sharing = async (name: string, permission: 'viewer' | 'editor' | 'admin', preset_id?: string) => {
    const agent = await owner.createAgent({ name, ...(preset_id !== undefined && { preset_id }) })
    await owner.createBoardShare({ board_id: board.id, user_id: agent.id, permission })
    return agent.api_key!
  }
  const nothing = await owner.createPreset({ name: 'Nothing', description: '', flags: {} })
  const imports = await owner.createPreset({
    name: 'Imports',
    description: '',
    flags: { BOARDS_READ: true, BOARDS_IMPORT: true },
  })
  return {
    url,
    root,
    databaseUrl,
    owner,
    ownerKey,
    keys: {
      nobody: undefined,
      none: await sharing('none', 'viewer', nothing.id),
      viewer: await sharing('viewer', 'viewer'),
      editor: await sharing('editor', 'editor'),
      full: await sharing('full', 'editor'),
      importer: await sharing('importer', 'admin', imports.id),
    },
    boardId: board.id,
    specId: spec.id,
    cardId: card.id,
    otherBoardId: other.id,
    archive: await archiveOfRemoved({ url, ownerKey, owner }),
    ownArchive: await archiveOf({ url, ownerKey }, board.id),
  }
}

async function archiveOf({ url, ownerKey }: Pick<Target, 'url' | 'ownerKey'>, boardId: string): Promise<Blob> {
  const headers = { authorization: `Bearer ${ownerKey}` }
  return (await fetch(`${url}/api/v1/boards/${boardId}/export`, { headers })).blob()
}

async function archiveOfRemoved({ url, ownerKey, owner }: Pick<Target, 'url' | 'ownerKey' | 'owner'>): Promise<Blob> {
  const { id: board_id } = await owner.createBoard({ name: 'Removed', description: '' })
  const spec = await owner.createSpec({ board_id, title: 'Removed', status: 'approved' })
  await owner.createCard({ board_id, spec_id: spec.id, title: 'Removed' })
  const archive = await archiveOf({ url, ownerKey }, board_id)
  await owner.deleteBoard({ board_id })
  return archive
}
