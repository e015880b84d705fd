/** Whether what was tested covers what was changed (evidence 7). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { ChangesTable } from '../../schema/tables.ts'
import type { Result, Uncovered } from './rules.ts'

/** A commit that is linked to a record, or that merged a pull request of it. */
interface LinkedCommit {
  readonly sha: string
  readonly title: string
  readonly repository_id: string
  /** Null where nobody told of it but the pull request. */
  readonly change: ChangesTable | null
}

const commitAt = hot<{ repository: string; sha: string }, ChangesTable>(
  (_, param) => sql<ChangesTable>`select * from changes
    where repository_id = ${param('repository')} and kind = 'commit' and key = ${param('sha')}`,
)

/** Whether a branch held a commit before it got another one. */
const placedBefore = hot<{ earlier: string; later: string }, { branch_id: string }>(
  (_, param) => sql<{ branch_id: string }>`select one.branch_id from branch_commits one
    join branch_commits other on other.branch_id = one.branch_id and other.commit_id = ${param('later')}
    join changes c on c.id = one.commit_id join changes d on d.id = other.commit_id
    where one.commit_id = ${param('earlier')} and (one.placed_at < other.placed_at
      or one.placed_at = other.placed_at and c.happened_at < d.happened_at)
    limit 1`,
)

/** The most commits that are walked back from what was tested: beyond them nothing is known. */
const farthest = 2_000

/** What is known to lie behind a commit. */
interface Ancestry {
  readonly shas: ReadonlySet<string>
  /** The ids of commits whose parents nobody told. */
  readonly ends: readonly string[]
}

const countingStates: ReadonlySet<string> = new Set(['open', 'merged'])

/** The changes of a record, and what results cover of them. */
export class Coverage {
  readonly #db: Db
  readonly #commits: readonly LinkedCommit[]
  readonly #found = new Map<string, ChangesTable | null>()
  readonly #ancestries = new Map<string, Ancestry>()
  readonly #judged = new Map<string, Uncovered>()

  private constructor(db: Db, commits: readonly LinkedCommit[]) {
    this.#db = db
    this.#commits = commits
  }

  /** The changes of some records; none where nobody asks. */
  static async of(db: Db, records: readonly string[]): Promise<Coverage> {
    const { rows } = await sql<ChangesTable>`select c.* from change_links l join changes c on c.id = l.change_id
      where ${dialect.inList(sql.ref('l.entity_id'), sql.val(JSON.stringify(records)))}
        and l.is_undone = 0 and c.kind in ('commit', 'pull_request')`.execute(db)
    const coverage = new Coverage(db, [])
    const commits = new Map<string, LinkedCommit>()
    for (const row of rows) {
      const { repository_id, title } = row
      if (row.kind === 'commit' && countingStates.has(row.state))
        commits.set(`${repository_id} ${row.key}`, { sha: row.key, title, repository_id, change: row })
      if (row.kind === 'pull_request' && row.state === 'merged' && row.merge_commit !== null) {
        const sha = row.merge_commit
        const change = await coverage.#find(repository_id, sha)
        commits.set(`${repository_id} ${sha}`, { sha, title, repository_id, change })
      }
    }
    return new Coverage(db, [...commits.values()])
  }

  /** Whether anything was changed. */
  get isChanged(): boolean {
    return this.#commits.length > 0
  }

  /** The repositories of the changes. */
  get repositories(): readonly string[] {
    return [...new Set(this.#commits.map(({ repository_id }) => repository_id))]
  }

  /** What a result does not cover; judged once for each that tested the same. */
  async uncovered(result: Result): Promise<Uncovered> {
    const { repository_id, commit, tested_commit, tree } = result
    const key = `${repository_id} ${commit} ${tested_commit} ${tree}`
    const known = this.#judged.get(key)
    if (known !== undefined) return known
    const judged = await this.#judge(result)
    this.#judged.set(key, judged)
    return judged
  }

  async #judge(result: Result): Promise<Uncovered> {
    const left: LinkedCommit[] = []
    for (const commit of this.#commits) if (!(await this.#covers(result, commit))) left.push(commit)
    const commits = left.map(({ sha, title, repository_id }) => ({ sha, title, repository_id }))
    if (left.length === 0) return { reason: null, commits }
    const { commit, tested_commit, repository_id } = result
    if (commit === null && tested_commit === null) return { reason: 'no_commit', commits }
    const isKnown =
      repository_id !== null &&
      ((commit !== null && (await this.#find(repository_id, commit)) !== null) ||
        (tested_commit !== null && (await this.#find(repository_id, tested_commit)) !== null))
    return { reason: isKnown ? 'newer_commit' : 'unknown_commit', commits }
  }

  async #covers(result: Result, linked: LinkedCommit, met: ReadonlySet<string> = new Set()): Promise<boolean> {
    const { repository_id, commit, tested_commit } = result
    if (repository_id !== linked.repository_id || met.has(linked.sha)) return false
    const tips = [commit, tested_commit].flatMap(sha => sha ?? [])
    if (tips.includes(linked.sha)) return true
    const tree = await this.#testedTree(result)
    if (tree !== null && treeOf(linked.change) === tree) return true
    const same = tree === null ? [] : this.#commits.filter(({ change }) => treeOf(change) === tree)
    for (const tip of new Set([...tips, ...same.map(({ sha }) => sha)]))
      if (await this.#isBehind(linked, tip)) return true
    const { rewritten_as, merged_as } = linked.change === null ? {} : parseJson(linked.change.content)
    for (const sha of [rewritten_as, merged_as]) {
      if (sha == null) continue
      const later = { ...linked, sha, change: await this.#find(repository_id, sha) }
      if (await this.#covers(result, later, new Set([...met, linked.sha]))) return true
    }
    return false
  }

  /** The tree of what was tested; null where it is not known. */
  async #testedTree({ repository_id, commit, tested_commit, tree }: Result): Promise<string | null> {
    const sha = tested_commit ?? commit
    if (tree !== null || sha === null || repository_id === null) return tree
    return treeOf(await this.#find(repository_id, sha))
  }

  async #isBehind({ repository_id, sha, change }: LinkedCommit, tip: string): Promise<boolean> {
    const { shas, ends } = await this.#behind(repository_id, tip)
    if (shas.has(sha)) return true
    if (change === null) return false
    for (const later of ends) if ((await placedBefore(this.#db, { earlier: change.id, later })).length > 0) return true
    return false
  }

  async #behind(repository: string, tip: string): Promise<Ancestry> {
    const key = `${repository} ${tip}`
    const known = this.#ancestries.get(key)
    if (known !== undefined) return known
    const shas = new Set<string>()
    const ends: string[] = []
    const open = [tip]
    // The queue grows while it is walked: the nearest come first.
    for (const sha of open) {
      if (shas.size === farthest) break
      if (shas.has(sha)) continue
      shas.add(sha)
      const change = await this.#find(repository, sha)
      if (change === null) continue
      const { parents } = parseJson(change.content)
      if (parents == null) ends.push(change.id)
      else open.push(...parents)
    }
    const ancestry = { shas, ends }
    this.#ancestries.set(key, ancestry)
    return ancestry
  }

  async #find(repository: string, sha: string): Promise<ChangesTable | null> {
    const key = `${repository} ${sha}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = (await commitAt(this.#db, { repository, sha }))[0] ?? null
    this.#found.set(key, found)
    return found
  }
}

const treeOf = (change: ChangesTable | null): string | null =>
  change === null ? null : (parseJson(change.content).tree ?? null)
