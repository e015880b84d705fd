import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client } from '@specboard/client'
import { linesOf, zipEntries } from '../../../apps/cli/test/support/zip-entries.ts'
import { sampleBacklog } from './backlog.ts'

/** The id of an issue, and of one that it waits for. */
export type Waiting = readonly [issue: string, blocker: string]

/** A beads backlog on a board of its own. */
export interface ImportedBacklog {
  readonly boardId: string
  /** The issues that records of the board represent, by the records' references (`card:<id>` and the like). */
  readonly issueOf: ReadonlyMap<string, string>
  /** Dependencies that the import left out, such as those that would close a cycle. */
  readonly leftOut: readonly Waiting[]
}

/**
 * Imports every record of a beads file, including orchestration records, into a new board without gates of validation.
 */
export async function importBacklog(client: Client, path: string = sampleBacklog): Promise<ImportedBacklog> {
  if (!existsSync(path)) throw new Error(`There is no backlog at ${path}. Name a beads JSONL file as the argument.`)
  const file = new File([readFileSync(path)], basename(path))
  const { board_id, problems } = await client.importBoard({ file, all: true, name: 'Backlog' })
  const boardId = board_id!
  const settings = { require_test_task_for_bug: false, require_task_validation: false }
  await client.updateBoard({ board_id: boardId, settings })
  const archive = await (await client.exportBoard({ board_id: boardId, attachments: false, events: false })).blob()
  const records = linesOf((await zipEntries(archive)).get('records.jsonl'))
  return {
    boardId,
    issueOf: new Map(
      records
        // The spec "Imported" represents no issue.
        .filter(({ type, external_id }) => type === 'external_id' && external_id !== 'spec:Imported')
        .map(({ entity_type, entity_id, external_id }) => [`${entity_type}:${entity_id}`, external_id]),
    ),
    leftOut: problems
      .filter(({ kind, severity }) => kind === 'dependency' && severity === 'skipped')
      .map(({ id }) => id!.split('>') as [string, string]),
  }
}
