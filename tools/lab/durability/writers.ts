import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { ClientError, createClient } from '@specboard/client'
import type { Service } from '../harness/service.ts'
import { callTool } from '../load/mcp-tool.ts'
import type { Creation, Ledger, StoredFile } from './ledger.ts'

/** The board and card that writers use. */
export interface WriterBoard {
  readonly url: string
  readonly key: string
  readonly boardId: string
  readonly cardId: string
}

/** The writes of one interface. */
interface Door {
  create(creation: Creation): Promise<NonNullable<Creation['answer']>>
  edit(id: string, description: string): Promise<number>
  upload(text: string): Promise<StoredFile>
}

/** How much each writer sends, and until when. */
export interface Writing {
  /** An even number; half of them write over HTTP with Idempotency-Keys, half over MCP. */
  readonly writers?: number
  /** The length of each description, characters. */
  readonly length?: number
  readonly goesOn: () => boolean
}

/** Creates a board and a card to write on. */
export async function makeWriterBoard({ client, url, key }: Service): Promise<WriterBoard> {
  const board = await client.createBoard({ name: 'Durability', description: '' })
  const spec = await client.createSpec({ board_id: board.id, title: 'Durability', status: 'approved' })
  const card = await client.createCard({ board_id: board.id, spec_id: spec.id, title: 'Durability' })
  return { url, key: key!, boardId: board.id, cardId: card.id }
}

/**
 * Writes over HTTP and MCP at the same time, and records what is acknowledged: ideations, edits of them, and files. A
 * writer ends when its connection breaks.
 */
export async function write(
  desk: WriterBoard,
  ledger: Ledger,
  { writers = 8, length = 100, goesOn }: Writing,
): Promise<void> {
  const writer = async (index: number) => {
    const door = index % 2 === 0 ? httpDoor(desk) : mcpDoor(desk)
    for (let count = 0; goesOn(); count++) {
      const creation: Creation = {
        title: randomUUID(),
        description: randomBytes(length / 2).toString('hex'),
        idempotencyKey: index % 2 === 0 ? randomUUID() : undefined,
      }
      await acknowledge(ledger, () => create(door, ledger, creation))
      const { id } = creation.answer ?? {}
      if (id !== undefined && count % 4 === 1)
        await acknowledge(ledger, async () => ledger.versions.set(id, await door.edit(id, `Edit ${count}`)))
      if (count % 16 === 2)
        await acknowledge(ledger, async () => ledger.files.push(await door.upload(randomBytes(256).toString('hex'))))
    }
  }
  await Promise.all(
    Array.from({ length: writers }, (_, index) =>
      writer(index).catch(error => {
        if (!isBroken(error)) throw error
      }),
    ),
  )
}

/**
 * Repeats calls over HTTP under their Idempotency-Keys; returns those with a different response than the first time.
 */
export async function repeated(desk: WriterBoard, creations: readonly Creation[]): Promise<Creation[]> {
  const door = httpDoor(desk)
  const different: Creation[] = []
  for (const creation of creations) {
    const answer = await door.create(creation)
    if (creation.answer !== undefined && JSON.stringify(answer) !== JSON.stringify(creation.answer))
      different.push(creation)
    creation.answer ??= answer
  }
  return different
}

async function create(door: Door, ledger: Ledger, creation: Creation): Promise<void> {
  ledger.creations.set(creation.title, creation)
  creation.answer = await door.create(creation)
}

/** Counts a write as acknowledged, or as refused if the service refuses it. */
async function acknowledge(ledger: Ledger, send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
    ledger.acknowledged++
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    ledger.refused++
  }
}

/** Whether a call failed because the server is gone: `fetch` says so, or its answer was cut off. */
const isBroken = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError

function httpDoor({ url, key, boardId: board_id, cardId: card_id }: WriterBoard): Door {
  const client = createClient({ url, key })
  return {
    create: ({ title, description, idempotencyKey }) =>
      client.createIdeation({ board_id, title, description }, idempotencyKey === undefined ? {} : { idempotencyKey }),
    edit: async (ideation_id, description) => (await client.updateIdeation({ ideation_id, description })).version,
    upload: async text =>
      client.uploadAttachment(
        { board_id, card_id, file: new File([text], 'notes.txt', { type: 'text/plain' }) },
        { idempotencyKey: randomUUID() },
      ),
  }
}

function mcpDoor(desk: WriterBoard): Door {
  const { boardId: board_id, cardId: card_id } = desk
  return {
    create: async ({ title, description }) => {
      const { id, version } = await callTool(desk, 'create_ideation', { board_id, title, description })
      return { id: String(id), version: Number(version) }
    },
    edit: async (ideation_id, description) =>
      Number((await callTool(desk, 'update_ideation', { ideation_id, description })).version),
    upload: async text => {
      const file = { filename: 'notes.txt', mime_type: 'text/plain', text }
      const { id } = await callTool(desk, 'upload_attachment', { board_id, card_id, ...file })
      return { id: String(id), sha256: createHash('sha256').update(text).digest('hex') }
    },
  }
}
