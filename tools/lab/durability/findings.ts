import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attachmentFolder, readWithoutLock } from '@specboard/domain'
import type { Ledger } from './ledger.ts'

/** The contents of a data folder that are compared with the ledger of its clients. */
interface StoredContents {
  readonly ideations: readonly { readonly id: string; readonly title: string; readonly version: number }[]
  /** The versions in the event log, by ideation id. */
  readonly versions: ReadonlyMap<string, readonly number[]>
  readonly attachments: readonly { readonly id: string; readonly path: string; readonly sha256: string }[]
  /** The uploaded attachments in the event log. */
  readonly uploads: ReadonlySet<string>
  /** Boards whose sequence has a gap, or does not end at the board's own number. */
  readonly gaps: number
}

/** The differences between a data folder and what was acknowledged to its clients. */
export interface Findings {
  /** Acknowledged writes that are missing. */
  readonly lost: number
  /** Rows that lack their event or file, and events that lack their row. */
  readonly half: number
  /** Calls that exist more than once, although they were repeated under one Idempotency-Key or never repeated. */
  readonly twice: number
}

/** Compares a data folder with what was acknowledged to its clients; a server may be using it. */
export async function findingsIn(folder: string, ledger: Ledger): Promise<Findings> {
  const stored = await read(folder)
  const ideations = new Map(stored.ideations.map(ideation => [ideation.id, ideation]))
  const acknowledged = [...ledger.creations.values()].filter(({ answer }) => answer !== undefined)
  const created = acknowledged.filter(({ title, answer }) => ideations.get(answer!.id)?.title !== title)
  const edits = [...ledger.versions].filter(([id, version]) => (ideations.get(id)?.version ?? 0) < version)
  const hashes = new Map(stored.attachments.map(({ id, path }) => [id, hashOf(join(folder, path))]))
  const files = ledger.files.filter(({ id, sha256 }) => hashes.get(id) !== sha256)
  return {
    lost: created.length + edits.length + files.length,
    half: halfIdeations(stored) + halfAttachments(stored, hashes) + stored.gaps,
    twice: stored.ideations.length - new Set(stored.ideations.map(({ title }) => title)).size,
  }
}

/** Each version of an ideation has its event, and each event its ideation. */
function halfIdeations({ ideations, versions }: StoredContents): number {
  const incomplete = ideations.filter(({ id, version }) => {
    const versionNumbers = versions.get(id) ?? []
    return versionNumbers.length !== version || Math.max(...versionNumbers) !== version
  })
  const ids = new Set(ideations.map(({ id }) => id))
  return incomplete.length + [...versions.keys()].filter(id => !ids.has(id)).length
}

function halfAttachments(
  { attachments, uploads }: StoredContents,
  hashes: ReadonlyMap<string, string | undefined>,
): number {
  const incomplete = attachments.filter(({ id, sha256 }) => !uploads.has(id) || hashes.get(id) !== sha256)
  const ids = new Set(attachments.map(({ id }) => id))
  return incomplete.length + [...uploads].filter(id => !ids.has(id)).length
}

const hashOf = (file: string): string | undefined =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined

function read(folder: string): Promise<StoredContents> {
  return readWithoutLock(folder, async db => {
    const ideations = await db.selectFrom('ideations').select(['id', 'title', 'version']).execute()
    const attachments = await db.selectFrom('attachments').select(['id', 'board_id', 'filename', 'sha256']).execute()
    const events = await db
      .selectFrom('events')
      .select(['entity_type', 'entity_id', 'version', 'action', 'details'])
      .where(eb => eb.or([eb('entity_type', '=', 'ideation'), eb('action', '=', 'attachment_uploaded')]))
      .execute()
    const boards = await db
      .selectFrom('boards')
      .leftJoin('events', 'events.board_id', 'boards.id')
      .select(({ fn }) => ['boards.seq', fn.max('events.seq').as('last'), fn.count<number>('events.seq').as('count')])
      .groupBy('boards.id')
      .execute()
    const ofIdeations = events.filter(({ entity_type }) => entity_type === 'ideation')
    const versions = Map.groupBy(ofIdeations, ({ entity_id }) => entity_id)
    return {
      ideations,
      versions: new Map([...versions].map(([id, all]) => [id, all.map(({ version }) => version ?? 0)])),
      attachments: attachments.map(({ id, board_id, filename, sha256 }) => ({
        id,
        sha256,
        path: join(attachmentFolder, board_id, filename),
      })),
      uploads: new Set(
        events
          .filter(({ action }) => action === 'attachment_uploaded')
          .map(({ details }) => String(JSON.parse(details ?? '{}').attachment_id)),
      ),
      gaps: boards.filter(({ seq, last, count }) => seq !== (last ?? 0) || seq !== count).length,
    }
  })
}
