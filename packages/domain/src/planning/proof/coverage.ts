/** Whether a test result covers the changes of a record (evidence 7). */
import { dialect, type Param } from '@specboard/storage'
import { sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { ChangesTable } from '../../schema/tables.ts'
import { isPlacedBefore } from './placed-before.ts'
import type { CoverageGap, Result } from './rules.ts'

/** A commit that is linked to a record, or that merged a pull request of it. */
interface LinkedCommit {
  readonly sha: string
  readonly title: string
  readonly repository_id: string
  /** Null if only the pull request reported it. */
  readonly change: ChangesTable | null
}

const commitAt = hot<{ board: string; repository: string; sha: string }, ChangesTable>(
  (_, param) => sql<ChangesTable>`select * from changes
    where repository_id = ${param('repository')} and ${onBoard('changes', param('board'))} and kind = 'commit'
      and key = ${param('sha')}`,
)

/** Maximum number of commits with the same tree whose ancestors are examined. */
const maxCommitsOfTree = 20

const treeIn = (content: string) => dialect.jsonText(sql.ref<string>(content), 'tree')

/** Whether a branch held a commit before it got another one. */
const placedBefore = hot<{ board: string; earlier: string; later: string }, { branch_id: string }>(
  (_, param) => sql<{ branch_id: string }>`select one.branch_id from branch_commits one
    join branch_commits other on other.branch_id = one.branch_id and ${sameBoard('other', 'one')} and other.commit_id = ${param('later')}
    where one.commit_id = ${param('earlier')} and ${onBoard('one', param('board'))} and ${isPlacedBefore('one', 'other')}
    limit 1`,
)

const commitsAt = hot<{ board: string; repository: string; shas: string }, ChangesTable>(
  (_, param) => sql<ChangesTable>`select * from changes
    where repository_id = ${param('repository')} and ${onBoard('changes', param('board'))} and kind = 'commit'
      and ${dialect.inList(sql.ref('key'), param('shas'))}`,
)

/** The commits of a tree, the newest first. */
const ofTree = hot<{ board: string; repository: string; tree: string }, { key: string }>(
  (_, param) => sql<{ key: string }>`select c.key from changes c where c.repository_id = ${param('repository')}
    and ${onBoard('c', param('board'))} and c.kind = 'commit' and ${treeIn('c.content')} = ${param('tree')}
    order by c.happened_at desc limit ${sql.lit(maxCommitsOfTree)}`,
)

/** Maximum number of commits that are walked back from what was tested: beyond them nothing is known. */
const farthest = 2_000

/** A walk from a commit back through its ancestors, the nearest first. */
class Walk {
  readonly shas = new Set<string>()
  /** The ids of commits whose parents are unknown. */
  readonly ends: string[] = []
  readonly #open: string[]
  #at = 0

  constructor(tip: string) {
    this.#open = [tip]
  }

  get isOver(): boolean {
    return this.#at === this.#open.length || this.shas.size === farthest
  }

  async step(find: (sha: string) => Promise<ChangesTable | null>): Promise<void> {
    const sha = this.#open[this.#at++]!
    if (this.shas.has(sha)) return
    this.shas.add(sha)
    const change = await find(sha)
    if (change === null) return
    const { parents } = parseJson(change.content)
    if (parents == null) this.ends.push(change.id)
    else this.#open.push(...parents)
  }
}

/** The commits of a board's repositories that a read has asked for. */
class Commits {
  readonly #db: Db
  readonly #board: string
  readonly #found = new Map<string, ChangesTable | null>()
  readonly #walks = new Map<string, Walk>()
  readonly #trees = new Map<string, readonly string[]>()

  constructor(db: Db, board: string) {
    this.#db = db
    this.#board = board
  }

  /** Reads commits that will be needed, in one query. */
  async expect(repository: string, shas: readonly string[]): Promise<void> {
    const missing = new Set(shas.filter(sha => !this.#found.has(`${repository} ${sha}`)))
    if (missing.size < 2) return
    for (const row of await commitsAt(this.#db, { board: this.#board, repository, shas: JSON.stringify([...missing]) }))
      this.#found.set(`${repository} ${row.key}`, row)
  }

  async find(repository: string, sha: string): Promise<ChangesTable | null> {
    const key = `${repository} ${sha}`
    const cached = this.#found.get(key)
    if (cached !== undefined) return cached
    const found = (await commitAt(this.#db, { board: this.#board, repository, sha }))[0] ?? null
    this.#found.set(key, found)
    return found
  }

  /** The commits that have a tree, linked to a record or not. */
  async withTree(repository: string, tree: string): Promise<readonly string[]> {
    const key = `${repository} ${tree}`
    const cached = this.#trees.get(key)
    if (cached !== undefined) return cached
    const found = (await ofTree(this.#db, { board: this.#board, repository, tree })).map(({ key: sha }) => sha)
    this.#trees.set(key, found)
    return found
  }

  /** Whether a commit is known to be an ancestor of another one. */
  async isBehind({ repository_id, sha, change }: LinkedCommit, tip: string): Promise<boolean> {
    const find = (hash: string) => this.find(repository_id, hash)
    const back = this.#walk(repository_id, tip)
    const own = this.#walk(repository_id, sha)
    // Both are walked back alternately: if the commit came after the tip, the tip is soon found among its ancestors.
    while (!back.shas.has(sha)) {
      if (own.shas.has(tip)) return false
      if (back.isOver) return change !== null && (await this.#isPlacedBefore(change, back.ends))
      await back.step(find)
      if (!own.isOver) await own.step(find)
    }
    return true
  }

  async #isPlacedBefore({ id }: ChangesTable, ends: readonly string[]): Promise<boolean> {
    for (const later of ends)
      if ((await placedBefore(this.#db, { board: this.#board, earlier: id, later })).length > 0) return true
    return false
  }

  #walk(repository: string, tip: string): Walk {
    const key = `${repository} ${tip}`
    const walk = this.#walks.get(key) ?? new Walk(tip)
    this.#walks.set(key, walk)
    return walk
  }
}

const countingStates: ReadonlySet<string> = new Set(['open', 'merged'])

/** The changes of a record, and how far results cover them. */
export class Coverage {
  readonly #known: Commits
  readonly #commits: readonly LinkedCommit[]
  readonly #judged = new Map<string, CoverageGap>()

  constructor(cache: Commits, commits: readonly LinkedCommit[]) {
    this.#known = cache
    this.#commits = commits
  }

  /** The repositories of the changes. */
  get repositories(): readonly string[] {
    return [...new Set(this.#commits.map(({ repository_id }) => repository_id))]
  }

  /** Whether nothing changed. */
  get isEmpty(): boolean {
    return this.#commits.length === 0
  }

  /** What a result does not cover; judged once for all results that tested the same. */
  async uncovered(result: Result): Promise<CoverageGap> {
    const { repository_id, commit, tested_commit, tree } = result
    const key = `${repository_id} ${commit} ${tested_commit} ${tree}`
    const cached = this.#judged.get(key)
    if (cached !== undefined) return cached
    const judged = await this.#judge(result)
    this.#judged.set(key, judged)
    return judged
  }

  async #judge(result: Result): Promise<CoverageGap> {
    const uncovered: LinkedCommit[] = []
    for (const commit of this.#commits) if (!(await this.#covers(result, commit))) uncovered.push(commit)
    const commits = uncovered.map(({ sha, title, repository_id }) => ({ sha, title, repository_id }))
    if (uncovered.length === 0) return { reason: null, commits }
    const { commit, tested_commit, repository_id } = result
    if (commit === null && tested_commit === null) return { reason: 'no_commit', commits }
    const isKnown =
      repository_id !== null &&
      ((commit !== null && (await this.#known.find(repository_id, commit)) !== null) ||
        (tested_commit !== null && (await this.#known.find(repository_id, tested_commit)) !== null))
    return { reason: isKnown ? 'newer_commit' : 'unknown_commit', commits }
  }

  async #covers(result: Result, linked: LinkedCommit, visited: ReadonlySet<string> = new Set()): Promise<boolean> {
    const { repository_id, commit, tested_commit } = result
    if (repository_id !== linked.repository_id || visited.has(linked.sha)) return false
    const tips = [commit, tested_commit].flatMap(sha => sha ?? [])
    if (tips.includes(linked.sha)) return true
    const tree = await this.#testedTree(result)
    if (tree !== null && treeOf(linked.change) === tree) return true
    for (const tip of tips) if (await this.#known.isBehind(linked, tip)) return true
    const same = tree === null ? [] : await this.#known.withTree(repository_id, tree)
    for (const tip of same) if (!tips.includes(tip) && (await this.#known.isBehind(linked, tip))) return true
    const { rewritten_as, merged_as } = linked.change === null ? {} : parseJson(linked.change.content)
    for (const sha of [rewritten_as, merged_as]) {
      if (sha == null) continue
      const later = { ...linked, sha, change: await this.#known.find(repository_id, sha) }
      if (await this.#covers(result, later, new Set([...visited, linked.sha]))) return true
    }
    return false
  }

  /** The tree of what was tested; null if unknown. */
  async #testedTree({ repository_id, commit, tested_commit, tree }: Result): Promise<string | null> {
    const sha = tested_commit ?? commit
    if (tree !== null || sha === null || repository_id === null) return tree
    return treeOf(await this.#known.find(repository_id, sha))
  }
}

/** A change of a record. */
interface OwnedChange extends ChangesTable {
  owner: string
}

/** Records of a board. */
interface Selection {
  board: string
  ids: string
}

const counting = sql`l.is_undone = 0 and c.kind in ('commit', 'pull_request')`

const linkedTo = (param: Param<Selection>) => sql`select l.entity_id as owner, c.*
  from change_links l join changes c on c.id = l.change_id and ${sameBoard('c', 'l')}
  where ${dialect.inList(sql.ref('l.entity_id'), param('ids'))} and ${onBoard('l', param('board'))} and ${counting}`

const linkedToCardsOf = (
  parent: 'k.spec_id' | 'k.sprint_id',
  param: Param<Selection>,
) => sql`select ${sql.ref(parent)} as owner, c.*
  from cards k join change_links l on l.entity_id = k.id and ${sameBoard('l', 'k')} join changes c on c.id = l.change_id and ${sameBoard('c', 'l')}
  where ${dialect.inList(sql.ref(parent), param('ids'))} and ${onBoard('k', param('board'))} and ${counting}`

const changesOf = {
  card: hot<Selection, OwnedChange>((_, param) => sql<OwnedChange>`${linkedTo(param)}`),
  spec: hot<Selection, OwnedChange>(
    (_, param) => sql<OwnedChange>`${linkedTo(param)} union all ${linkedToCardsOf('k.spec_id', param)}`,
  ),
  sprint: hot<Selection, OwnedChange>((_, param) => sql<OwnedChange>`${linkedToCardsOf('k.sprint_id', param)}`),
}

/**
 * The changes that matter to records: for a card, those linked to it; for a spec, to it or one of its cards; for a
 * sprint, to one of its cards.
 */
export async function coverageOf(
  db: Db,
  board: string,
  kind: keyof typeof changesOf,
  ids: readonly string[],
): Promise<(id: string) => Coverage> {
  const cache = new Commits(db, board)
  const rows = ids.length === 0 ? [] : await changesOf[kind](db, { board, ids: JSON.stringify(ids) })
  const merges = rows.filter(row => row.kind === 'pull_request' && row.state === 'merged' && row.merge_commit !== null)
  for (const [repository, own] of Map.groupBy(merges, ({ repository_id }) => repository_id))
    await cache.expect(
      repository,
      own.map(({ merge_commit }) => merge_commit!),
    )
  const byOwner = new Map<string, Map<string, LinkedCommit>>()
  const commitsOf = (owner: string) => {
    const commits = byOwner.get(owner) ?? new Map<string, LinkedCommit>()
    byOwner.set(owner, commits)
    return commits
  }
  for (const { owner, ...row } of rows) {
    const { repository_id, title } = row
    if (row.kind === 'commit' && countingStates.has(row.state))
      commitsOf(owner).set(`${repository_id} ${row.key}`, { sha: row.key, title, repository_id, change: row })
  }
  for (const { owner, repository_id, title, merge_commit } of merges) {
    const sha = merge_commit!
    const change = await cache.find(repository_id, sha)
    commitsOf(owner).set(`${repository_id} ${sha}`, { sha, title, repository_id, change })
  }
  const coverages = new Map([...byOwner].map(([owner, commits]) => [owner, new Coverage(cache, [...commits.values()])]))
  const none = new Coverage(cache, [])
  return id => coverages.get(id) ?? none
}

const treeOf = (change: ChangesTable | null): string | null =>
  change === null ? null : (parseJson(change.content).tree ?? null)
