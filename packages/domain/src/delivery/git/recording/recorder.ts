/** What the parts of a recording share: the changes found and made so far, and the result (git 3). */
import type { Context } from '../../../kernel/context.ts'
import { parseJson } from '../../../lib/json.ts'
import { turning } from '../../../schema/in-pieces.ts'
import { insertRow, updateRow } from '../../../schema/rows.ts'
import type { ChangesTable, RepositoriesTable } from '../../../schema/tables.ts'
import type { Linker } from '../linking.ts'
import { findChange } from '../store.ts'

/** The result. */
export interface Report {
  created: number
  updated: number
  unchanged: number
  linked: number
  vanished: number
  problems: { sha: string; reason: string }[]
}

/** The source of a report. */
export interface ReportSource {
  readonly source: 'forge' | 'ci' | 'sync'
  /** Who was shown the secret or key behind it, unless that was a present person (git 6). */
  readonly seenBy: string | null
}

const rank = { sync: 1, ci: 2, forge: 3 } as const

/** The empty columns that only a pull request has. */
export const noRequest = { source_branch: null, head: null, merge_commit: null }

/** Finds and writes the changes of one repository while one report is recorded. */
export class Recorder {
  readonly ctx: Context
  readonly repository: RepositoriesTable
  readonly source: ReportSource['source']
  readonly seenBy: string | null
  readonly linker: Linker
  /** The places in which mentions of records are looked for. */
  readonly places: ReadonlySet<string>
  /** The commits that it created. */
  readonly created: ChangesTable[] = []
  /** The commits that reached the default branch by this report. */
  readonly merged: ChangesTable[] = []
  /** Lets other work have a turn if a report is long. */
  readonly step: () => Promise<void> | undefined
  readonly report: Report = { created: 0, updated: 0, unchanged: 0, linked: 0, vanished: 0, problems: [] }
  defaultBranch: string
  readonly #known = new Map<string, ChangesTable | undefined>()

  constructor(ctx: Context, repository: RepositoriesTable, { source, seenBy }: ReportSource, linker: Linker) {
    this.ctx = ctx
    this.repository = repository
    this.source = source
    this.seenBy = seenBy
    this.linker = linker
    this.places = new Set(parseJson(repository.recognise))
    this.defaultBranch = repository.default_branch
    this.step = turning(ctx.db)
  }

  /** The commit with a hash; undefined if the repository has none. */
  async find(sha: string): Promise<ChangesTable | undefined> {
    if (!this.#known.has(sha)) this.#known.set(sha, await findChange(this.ctx.db, this.repository, 'commit', sha))
    return this.#known.get(sha)
  }

  /** Updates a change, and returns it as it is now. */
  async change(row: ChangesTable, changed: Partial<ChangesTable>): Promise<ChangesTable> {
    const now = { ...row, ...changed, updated_at: this.ctx.now() }
    await updateRow(this.ctx.db, 'changes', row.id, { ...changed, updated_at: now.updated_at })
    return this.#remember(now)
  }

  /** Adds a change to the repository. */
  async insert(
    row: Omit<ChangesTable, 'id' | 'board_id' | 'repository_id' | 'created_at' | 'updated_at'>,
  ): Promise<ChangesTable> {
    const whole: ChangesTable = {
      id: this.ctx.newId(),
      board_id: this.repository.board_id,
      repository_id: this.repository.id,
      ...row,
      created_at: this.ctx.now(),
      updated_at: this.ctx.now(),
    }
    await insertRow(this.ctx.db, 'changes', whole)
    return this.#remember(whole)
  }

  #remember(row: ChangesTable): ChangesTable {
    if (row.kind === 'commit') this.#known.set(row.key, row)
    return row
  }

  /** Whether this source is better than the earlier source of a change; a change from a file has no source here. */
  knowsBetter({ confirmed_by }: ChangesTable): boolean {
    return confirmed_by === null || rank[this.source] > rank[confirmed_by]
  }

  /** Whether a branch is the repository's default branch. */
  isDefault(name: string): boolean {
    return name === this.defaultBranch
  }
}
