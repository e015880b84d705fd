/** What hooks recorded and what a sync has sent, in the folder that all work trees share (git 5). */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The folder of Specboard in the common directory of a repository. */
export const folderIn = (commonDir: string): string => join(commonDir, 'specboard')

const Sent = z.object({ branches: z.record(z.string(), z.string()) })

/** Commits that Git rewrote. */
export interface RewrittenCommits {
  readonly old: string
  readonly new: string
}

const rewrite = /^rewrite ([0-9a-f]{40,64}) ([0-9a-f]{40,64})/

/** The state of a repository between syncs. */
export class SyncState {
  readonly #folder: string
  /**
   * Whether the folder existed: if it disappears in the meantime, the hooks were uninstalled, and nothing must be left
   * behind.
   */
  readonly #wasThere: boolean

  constructor(commonDir: string) {
    this.#folder = folderIn(commonDir)
    this.#wasThere = existsSync(this.#folder)
  }

  get #isRemoved(): boolean {
    return this.#wasThere && !existsSync(this.#folder)
  }

  get #queue(): string {
    return join(this.#folder, 'queue')
  }

  /** Whether hooks recorded something that has not been sent. */
  get isNoted(): boolean {
    return existsSync(this.#queue)
  }

  /** Takes what hooks recorded; `giveBack` puts it back if it could not be sent. */
  take(): { readonly rewritten: readonly RewrittenCommits[]; readonly giveBack: () => void } {
    const file = `${this.#queue}.${process.pid}`
    try {
      renameSync(this.#queue, file)
    } catch {
      return { rewritten: [], giveBack: () => {} }
    }
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    const rewritten = text.split('\n').flatMap(line => {
      const [, old, next] = rewrite.exec(line) ?? []
      return old === undefined || next === undefined ? [] : [{ old, new: next }]
    })
    const giveBack = () => {
      if (!this.#isRemoved) appendFileSync(this.#queue, text)
    }
    return { rewritten, giveBack }
  }

  #file(repository: string): string {
    return join(this.#folder, `sent-${repository}.json`)
  }

  /** The heads of the branches that were sent for a repository of the service. */
  sent(repository: string): Readonly<Record<string, string>> {
    try {
      return Sent.parse(JSON.parse(readFileSync(this.#file(repository), 'utf8'))).branches
    } catch {
      return {}
    }
  }

  /** Stores what was sent. */
  keep(repository: string, branches: Readonly<Record<string, string>>): void {
    if (this.#isRemoved) return
    mkdirSync(this.#folder, { recursive: true })
    const next = `${this.#file(repository)}.${process.pid}`
    writeFileSync(next, JSON.stringify({ branches }))
    renameSync(next, this.#file(repository))
  }
}
