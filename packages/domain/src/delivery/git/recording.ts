/** Applies reports from Git or a forge to the changes of a repository (git 3, 5). */
import type { Context } from '../../kernel/context.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import type { ChangeContent } from '../../schema/contents.ts'
import { turning } from '../../schema/in-pieces.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import { Linker, recordOnEntity } from './linking.ts'
import type { Occurrence } from './occurrences.ts'
import { followBranch, mergeLate } from './pull-requests.ts'
import { coAuthorsOf, mentionsOfBranch, mentionsOfCommit } from './recognition.ts'
import {
  allLinksOf,
  branchesHolding,
  branchesOf,
  changesWithPatch,
  changeWithId,
  commitsOn,
  contentOf,
  findChange,
  holds,
  putOnBranch,
  takeOffBranch,
} from './store.ts'
import type { Told, ToldBranch, ToldCommit } from './told.ts'

/** The result. */
export interface Report {
  created: number
  updated: number
  unchanged: number
  linked: number
  vanished: number
  problems: { sha: string; reason: string }[]
}

const rank = { sync: 1, ci: 2, forge: 3 } as const

/** The most paths of a commit that are stored. */
const mostPaths = 100

const noAddress = '[REDACTED]'

/**
 * Whether a commit touches the part of a repository that belongs to this board; it does if not all of its paths are
 * known.
 */
function isOfBoard(prefix: string | null, paths: readonly string[] | null | undefined): boolean {
  if (prefix === null || paths === null || paths === undefined || paths.length === 0 || paths.length >= mostPaths)
    return true
  return paths.some(path => path === prefix || path.startsWith(`${prefix}/`))
}

/** The source of a report. */
export interface Word {
  readonly source: 'forge' | 'ci' | 'sync'
  /** Who was shown the secret or key behind it, unless that was a present person (git 6). */
  readonly seenBy: string | null
}

/** Records what one source reports about one repository, in one unit of work. */
export class Recording {
  readonly #ctx: Context
  readonly #repository: RepositoriesTable
  readonly #source: Word['source']
  readonly #seenBy: string | null
  readonly #linker: Linker
  readonly #places: ReadonlySet<string>
  readonly #known = new Map<string, ChangesTable | undefined>()
  /** The commits that it created. */
  readonly #made: ChangesTable[] = []
  /** The commits that reached the default branch by this report. */
  readonly #merged: ChangesTable[] = []
  readonly #step: () => Promise<void> | undefined
  readonly #report: Report = { created: 0, updated: 0, unchanged: 0, linked: 0, vanished: 0, problems: [] }
  #defaultBranch: string

  private constructor(ctx: Context, repository: RepositoriesTable, { source, seenBy }: Word, linker: Linker) {
    this.#ctx = ctx
    this.#repository = repository
    this.#source = source
    this.#seenBy = seenBy
    this.#linker = linker
    this.#places = new Set(parseJson(repository.recognise))
    this.#defaultBranch = repository.default_branch
    this.#step = turning(ctx.db)
  }

  /** Records a report, and returns the result. */
  static async run(
    ctx: Context,
    repository: RepositoriesTable,
    word: Word,
    told: Told,
  ): Promise<{ readonly report: Report; readonly occurrences: readonly Occurrence[] }> {
    const linker = await Linker.of(ctx, repository.board_id)
    const recording = new Recording(ctx, repository, word, linker)
    const report = await recording.#run(told)
    const merged = recording.#merged.map(change => ({ what: 'merged' as const, change }))
    return { report, occurrences: [...linker.occurrences(), ...merged] }
  }

  async #run(told: Told): Promise<Report> {
    const returning = new Set(told.vanished)
    for (const commit of told.commits) await this.#commit(commit, !returning.has(commit.sha))
    await this.#branches(told)
    await this.#requests(told)
    for (const pair of told.rewritten) await this.#rewrite(pair)
    for (const commit of this.#made) await this.#samePatch(commit)
    if (!told.shallow) for (const sha of told.vanished) await this.#vanishTold(sha)
    this.#report.linked = this.#linker.made.length
    if (this.#report.created + this.#report.updated + this.#report.vanished > 0) await this.#end(told)
    return this.#report
  }

  async #end({ commits, branches }: Told): Promise<void> {
    const { id, board_id } = this.#repository
    await updateRow(this.#ctx.db, 'repositories', id, {
      ...(this.#source !== 'forge' && { synced_at: this.#ctx.now() }),
      default_branch: this.#defaultBranch,
    })
    const names = new Set([...branches.map(({ name }) => name), ...commits.flatMap(({ branch }) => branch ?? [])])
    await this.#ctx.record({
      boardId: board_id,
      entity: { type: 'board', id: board_id },
      activity: {
        action: 'changes_recorded',
        details: {
          repository_id: id,
          branch: names.size === 1 ? [...names][0] : null,
          commits: this.#made.length,
          source: this.#source,
        },
      },
    })
  }

  async #find(sha: string): Promise<ChangesTable | undefined> {
    if (!this.#known.has(sha)) this.#known.set(sha, await findChange(this.#ctx.db, this.#repository.id, 'commit', sha))
    return this.#known.get(sha)
  }

  async #change(row: ChangesTable, changed: Partial<ChangesTable>): Promise<ChangesTable> {
    const now = { ...row, ...changed, updated_at: this.#ctx.now() }
    await updateRow(this.#ctx.db, 'changes', row.id, { ...changed, updated_at: now.updated_at })
    if (row.kind === 'commit') this.#known.set(row.key, now)
    return now
  }

  async #insert(row: Omit<ChangesTable, 'id' | 'board_id' | 'repository_id' | 'created_at' | 'updated_at'>) {
    const whole: ChangesTable = {
      id: this.#ctx.newId(),
      board_id: this.#repository.board_id,
      repository_id: this.#repository.id,
      ...row,
      created_at: this.#ctx.now(),
      updated_at: this.#ctx.now(),
    }
    await insertRow(this.#ctx.db, 'changes', whole)
    return whole
  }

  async #commit(told: ToldCommit, seen: boolean): Promise<void> {
    await this.#step()
    const present = await this.#find(told.sha)
    const content = contentTold(told)
    const figures = {
      files_changed: told.files_changed ?? null,
      additions: told.additions ?? null,
      deletions: told.deletions ?? null,
      patch_id: told.patch_id ?? null,
    }
    const email = told.author_email ?? null
    const author = {
      author_name: told.author_name ?? null,
      author_email: email === noAddress ? null : (email?.toLowerCase() ?? null),
      author_login: told.author_login ?? null,
    }
    if (present === undefined) {
      const made = await this.#insert({
        kind: 'commit',
        key: told.sha,
        title: told.subject ?? '',
        state: 'open',
        ...author,
        confirmed_by: this.#source,
        seen_by: this.#seenBy,
        is_external: 0,
        is_linked: 0,
        is_bare: 0,
        ...figures,
        ...noRequest,
        content: toJson(content),
        happened_at: told.committed_at ?? told.authored_at ?? this.#ctx.now(),
      })
      this.#known.set(told.sha, made)
      this.#made.push(made)
      this.#report.created++
      await this.#recognise(made, told)
      return
    }
    const filled = filledOf(present, { title: told.subject ?? '', ...author, ...figures }, content)
    const better = this.#knowsBetter(present)
    const changed = {
      ...filled,
      // It is known in full again.
      ...(present.is_bare === 1 && { is_bare: 0 as const }),
      ...(better && { confirmed_by: this.#source }),
      // If it is merged, whoever reported that is recorded already.
      ...(better && present.state !== 'merged' && { seen_by: this.#seenBy }),
      // A report from a file proves nothing: that it is merged is reported again (git 11).
      ...(present.confirmed_by === null && present.state === 'merged' && { state: 'open' as const }),
      ...(seen && present.state === 'vanished' && { state: 'open' as const }),
    }
    if (Object.keys(changed).length === 0) {
      this.#report.unchanged++
      return
    }
    this.#report.updated++
    await this.#recognise(await this.#change(present, changed), told)
  }

  /** Whether this source is better than the earlier source of a change; a change from a file has no source here. */
  #knowsBetter({ confirmed_by }: ChangesTable): boolean {
    return confirmed_by === null || rank[this.#source] > rank[confirmed_by]
  }

  async #recognise(commit: ChangesTable, told: ToldCommit): Promise<void> {
    if (!isOfBoard(this.#repository.path_prefix, told.paths)) return
    const { body } = contentOf(commit)
    const message = body === undefined || body === null || body === '' ? commit.title : `${commit.title}\n\n${body}`
    const left = await this.#linker.link(
      commit,
      mentionsOfCommit(message, this.#places, this.#ctx.environment.publicUrl),
    )
    if (left > 0)
      this.#report.problems.push({ sha: commit.key, reason: `It names ${left} records more than the 20 it may have.` })
  }

  async #branches({ commits, branches, complete, shallow }: Told): Promise<void> {
    const told = new Map(branches.map(branch => [branch.name, branch]))
    for (const { branch } of commits)
      if (branch !== undefined && branch !== null && !told.has(branch)) told.set(branch, { name: branch })
    const master = branches.find(({ is_default }) => is_default === true)
    if (master !== undefined) this.#defaultBranch = master.name
    // The default branch first: its commits are not the work of another branch.
    const inOrder = [...told.values()].toSorted((one, other) => this.#isDefault(other.name) - this.#isDefault(one.name))
    for (const branch of inOrder) {
      const placed = commits.filter(({ branch: on }) => on === branch.name).map(({ sha }) => sha)
      await this.#branch(branch, placed, shallow)
    }
    if (complete && !shallow)
      for (const branch of await branchesOf(this.#ctx.db, this.#repository.id))
        if (!told.has(branch.key)) await this.#removeBranch(branch)
    if (told.size > 0) await this.#mergedBranches()
  }

  #isDefault(name: string): number {
    return name === this.#defaultBranch ? 1 : 0
  }

  async #branch(told: ToldBranch, placed: readonly string[], shallow: boolean): Promise<void> {
    const { db } = this.#ctx
    const present = await findChange(db, this.#repository.id, 'branch', told.name)
    if (told.deleted === true) {
      if (present === undefined || present.state === 'deleted') this.#report.unchanged++
      else await this.#removeBranch(present)
      return
    }
    const head = await this.#headOf(present, told, told.head ?? placed.at(-1) ?? null)
    const branch = present ?? (await this.#newBranch(told))
    const content = contentOf(branch)
    const isMoved = head !== null && content.head !== head
    const returned = branch.state === 'deleted'
    const better = present !== undefined && this.#knowsBetter(branch)
    const gapCame = told.gap === true && content.gap !== true
    if (present === undefined) this.#report.created++
    else if (isMoved || returned || better || gapCame) this.#report.updated++
    else this.#report.unchanged++
    const former = content.head ?? null
    const moved =
      isMoved || returned || better || gapCame
        ? await this.#change(branch, {
            ...(returned && { state: 'open' as const }),
            ...(better && { confirmed_by: this.#source }),
            ...((isMoved || returned) && { happened_at: this.#ctx.now() }),
            content: toJson({
              ...content,
              head: head ?? content.head ?? null,
              ...(isMoved && { last_push_at: this.#ctx.now() }),
              ...(gapCame && { gap: true }),
            }),
          })
        : branch
    if (present === undefined && this.#places.has('branch')) await this.#linker.link(moved, mentionsOfBranch(told.name))
    const isFilled = content.gap === true && head !== null && this.#source !== 'forge'
    await this.#fill(moved, {
      head: isMoved || isFilled ? head : null,
      former,
      placed,
      forced: told.forced === true,
      shallow,
    })
  }

  /** The reported head of a branch; when a pipeline ends late, the newer stored one. */
  async #headOf(
    present: ChangesTable | undefined,
    { forced }: ToldBranch,
    head: string | null,
  ): Promise<string | null> {
    const standing = present === undefined ? undefined : contentOf(present).head
    if (this.#source !== 'ci' || forced === true || head === null || !standing || standing === head) return head
    const commit = await this.#find(head)
    return commit !== undefined && (await holds(this.#ctx.db, present!.id, commit.id)) ? standing : head
  }

  #newBranch({ name, login = null }: ToldBranch): Promise<ChangesTable> {
    return this.#insert({
      kind: 'branch',
      key: name,
      title: name,
      state: 'open',
      author_name: null,
      author_email: null,
      author_login: login,
      confirmed_by: this.#source,
      seen_by: this.#seenBy,
      is_external: 0,
      is_linked: 0,
      is_bare: 0,
      files_changed: null,
      additions: null,
      deletions: null,
      patch_id: null,
      ...noRequest,
      content: toJson({ head: null, last_push_at: this.#ctx.now() }),
      happened_at: this.#ctx.now(),
    })
  }

  /** Adds commits to a branch: those reachable from its head, and those reported to be on it. */
  async #fill(
    branch: ChangesTable,
    {
      head,
      former,
      placed,
      forced,
      shallow,
    }: {
      readonly head: string | null
      readonly former: string | null
      readonly placed: readonly string[]
      readonly forced: boolean
      readonly shallow: boolean
    },
  ): Promise<void> {
    const walk = head === null ? undefined : await this.#walk(branch, head)
    if (walk?.isComplete === true) await this.#closeGap(branch)
    const added: ChangesTable[] = [...(walk?.added ?? [])]
    for (const sha of placed) {
      const commit = await this.#find(sha)
      if (commit !== undefined && !added.some(({ id }) => id === commit.id)) {
        if (!(await holds(this.#ctx.db, branch.id, commit.id))) added.push(commit)
      }
    }
    const fresh = await this.#onNoBranch(added)
    for (const commit of added)
      await putOnBranch(this.#ctx.db, {
        branch_id: branch.id,
        commit_id: commit.id,
        board_id: commit.board_id,
        placed_at: this.#ctx.now(),
      })
    if (walk !== undefined && former !== null && !shallow && (forced || walk.leftFormer(former)))
      await this.#replaceHistory(branch, head!, added, placed)
    if (this.#isDefault(branch.key) === 1) await this.#merge(added)
    else await this.#ownWork(branch, added, fresh)
  }

  /** The commits that are reachable from a head and that its branch does not contain yet. */
  async #walk(branch: ChangesTable, head: string) {
    const master = await findChange(this.#ctx.db, this.#repository.id, 'branch', this.#defaultBranch)
    const added: ChangesTable[] = []
    const met = new Set<string>()
    let isComplete = true
    const seen = new Set<string>()
    const open = [head]
    for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
      if (seen.has(sha)) continue
      seen.add(sha)
      await this.#step()
      const commit = await this.#find(sha)
      if (commit === undefined) {
        isComplete = false
        continue
      }
      if (await holds(this.#ctx.db, branch.id, commit.id)) {
        met.add(sha)
        // Nothing is missing behind a known commit, unless the branch has a gap.
        if (contentOf(branch).gap !== true) continue
        const { parents } = contentOf(commit)
        if (parents === undefined || parents === null) isComplete = false
        else open.push(...parents)
        continue
      }
      if (master !== undefined && master.id !== branch.id && (await holds(this.#ctx.db, master.id, commit.id))) continue
      added.push(commit)
      const { parents } = contentOf(commit)
      if (parents === undefined || parents === null) isComplete = false
      else for (const parent of parents) open.push(parent)
    }
    return {
      added,
      isComplete,
      /** Whether the former head is not reachable from the new one; unknown ancestry is not assumed (git 3, rule 2). */
      leftFormer: (former: string): boolean => isComplete && !met.has(former) && !seen.has(former),
    }
  }

  /** Removes from a rewritten branch the commits that are no longer reachable. */
  async #replaceHistory(
    branch: ChangesTable,
    head: string,
    added: readonly ChangesTable[],
    placed: readonly string[],
  ): Promise<void> {
    const kept = new Set<string>()
    const open = [head, ...placed]
    let isKnown = true
    for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
      await this.#step()
      const commit = await this.#find(sha)
      const parents = commit === undefined ? undefined : contentOf(commit).parents
      if (parents === undefined || parents === null) isKnown = false
      if (commit === undefined || kept.has(commit.id)) continue
      kept.add(commit.id)
      for (const parent of parents ?? []) open.push(parent)
    }
    const others = (await commitsOn(this.#ctx.db, branch.id)).filter(id => !kept.has(id))
    const gone = isKnown ? others : await this.#replacedByPlace(others, kept, added)
    await takeOffBranch(this.#ctx.db, branch.id, gone)
    for (const id of gone) await this.#left(id, added)
  }

  /**
   * The replaced commits if ancestry is unknown: all from the first commit on that came again as another one, or all
   * after the new head if that was on the branch before.
   */
  async #replacedByPlace(
    others: readonly string[],
    kept: ReadonlySet<string>,
    added: readonly ChangesTable[],
  ): Promise<string[]> {
    // Ids are in the order in which commits arrived.
    const inOrder = others.toSorted()
    const newest = added.length > 0 ? undefined : [...kept].toSorted().at(-1)
    if (newest !== undefined) return inOrder.filter(id => id > newest)
    for (const [place, id] of inOrder.entries()) {
      const row = await changeWithId(this.#ctx.db, id)
      if (row !== undefined && added.some(commit => isSuccessor(row, commit))) return inOrder.slice(place)
    }
    return inOrder
  }

  /** A branch whose commits are all known now has no gap. */
  async #closeGap(branch: ChangesTable): Promise<void> {
    const row = (await findChange(this.#ctx.db, this.#repository.id, 'branch', branch.key))!
    if (contentOf(row).gap === true) await this.#change(row, { content: toJson({ ...contentOf(row), gap: false }) })
  }

  /** Adds to pull requests what was added to their branches, and what was reported about them late (git 3). */
  async #requests({ commits, branches }: Told): Promise<void> {
    const names = new Set([...branches.map(({ name }) => name), ...commits.flatMap(({ branch }) => branch ?? [])])
    for (const name of names) await followBranch(this.#ctx, this.#linker, this.#repository.id, name)
    for (const commit of this.#made) {
      await this.#step()
      await mergeLate(this.#ctx, commit)
    }
  }

  async #removeBranch(branch: ChangesTable): Promise<void> {
    const { db } = this.#ctx
    const commits = await commitsOn(db, branch.id)
    await takeOffBranch(db, branch.id, commits)
    await this.#change(branch, { ...(branch.state !== 'merged' && { state: 'deleted' as const }) })
    this.#report.updated++
    for (const id of commits) await this.#left(id, [])
  }

  /** A commit has left a branch: it was rewritten as one of the new ones, or is gone if no other branch contains it. */
  async #left(id: string, came: readonly ChangesTable[]): Promise<void> {
    const row = await changeWithId(this.#ctx.db, id)
    if (row === undefined || row.state !== 'open' || (await branchesHolding(this.#ctx.db, id)).length > 0) return
    const successor = came.find(commit => isSuccessor(row, commit))
    if (successor === undefined) await this.#vanish(row)
    else await this.#rewritten(row, successor)
  }

  async #vanishTold(sha: string): Promise<void> {
    const commit = await this.#find(sha)
    if (commit === undefined) {
      this.#report.problems.push({ sha, reason: 'It is not known.' })
      return
    }
    if (commit.state !== 'open') return
    for (const branch of await branchesHolding(this.#ctx.db, commit.id))
      await takeOffBranch(this.#ctx.db, branch, [commit.id])
    await this.#vanish(commit)
  }

  async #vanish(commit: ChangesTable): Promise<void> {
    if (contentOf(commit).rewritten_as !== undefined && contentOf(commit).rewritten_as !== null) return
    await this.#change(commit, { state: 'vanished' })
    this.#report.vanished++
    for (const link of await allLinksOf(this.#ctx.db, commit.id))
      if (link.is_undone === 0)
        await recordOnEntity(this.#ctx, link, commit.board_id, 'commit_vanished', {
          change_id: commit.id,
          kind: 'commit',
          title: commit.title,
          sha: commit.key,
        })
  }

  async #rewrite({ old, new: next }: { readonly old: string; readonly new: string }): Promise<void> {
    const [former, commit] = [await this.#find(old), await this.#find(next)]
    if (former === undefined || commit === undefined) {
      this.#report.problems.push({ sha: former === undefined ? old : next, reason: 'It is not known.' })
      return
    }
    await this.#rewritten(former, commit)
  }

  async #rewritten(former: ChangesTable, commit: ChangesTable): Promise<void> {
    const content = contentOf(former)
    if (former.id === commit.id || content.rewritten_as === commit.key) return
    const now = await this.#change(former, {
      ...(former.state === 'vanished' && { state: 'open' as const }),
      content: toJson({ ...content, rewritten_as: commit.key }),
    })
    this.#report.updated++
    await this.#linker.inherit(commit, now)
  }

  /**
   * A commit with the same patch as another takes over its links; it replaces one that no branch contains (git 3, rule
   * 4).
   */
  async #samePatch(commit: ChangesTable): Promise<void> {
    if (commit.patch_id === null) return
    for (const other of await changesWithPatch(this.#ctx.db, this.#repository.id, commit.patch_id)) {
      if (other.id === commit.id) continue
      const isHeld = other.state === 'merged' || (await branchesHolding(this.#ctx.db, other.id)).length > 0
      if (isHeld) await this.#linker.inherit(commit, other)
      else if (!this.#made.some(({ id }) => id === other.id)) await this.#rewritten(other, commit)
    }
  }

  async #onNoBranch(commits: readonly ChangesTable[]): Promise<ReadonlySet<string>> {
    const free = new Set<string>()
    for (const { id } of commits) if ((await branchesHolding(this.#ctx.db, id)).length === 0) free.add(id)
    return free
  }

  /** Marks commits on the default branch as merged. */
  async #merge(commits: readonly ChangesTable[]): Promise<void> {
    for (const { key } of commits) {
      const commit = (await this.#find(key))!
      if (commit.state === 'merged') continue
      const merged = await this.#change(commit, {
        state: 'merged',
        seen_by: this.#seenBy,
        content: toJson({ ...contentOf(commit), merged_at: this.#ctx.now() }),
      })
      this.#merged.push(merged)
    }
  }

  /** Gives the branch's links to commits that were first seen with it and name no record themselves (git 4). */
  async #ownWork(branch: ChangesTable, added: readonly ChangesTable[], fresh: ReadonlySet<string>): Promise<void> {
    if (added.length === 0) return
    if (contentOf(branch).ahead !== true)
      await this.#change(branch, { content: toJson({ ...contentOf(branch), ahead: true }) })
    for (const commit of added) {
      if (commit.state === 'vanished') await this.#change(commit, { state: 'open' })
      if (fresh.has(commit.id) && (await allLinksOf(this.#ctx.db, commit.id)).length === 0)
        await this.#linker.inherit(commit, branch)
    }
  }

  /** Marks a branch whose head has reached the default branch as merged. */
  async #mergedBranches(): Promise<void> {
    const { db } = this.#ctx
    const master = await findChange(db, this.#repository.id, 'branch', this.#defaultBranch)
    if (master === undefined) return
    for (const branch of await branchesOf(db, this.#repository.id)) {
      const { head, ahead } = contentOf(branch)
      if (branch.id === master.id || ahead !== true || head === null || head === undefined) continue
      const commit = await this.#find(head)
      const state = commit !== undefined && (await holds(db, master.id, commit.id)) ? 'merged' : 'open'
      if (state !== branch.state) await this.#change(branch, { state })
    }
  }
}

/** The empty columns that only a pull request has. */
export const noRequest = { source_branch: null, head: null, merge_commit: null }

/** Whether a commit of a forced push is a rewritten form of another one. */
const isSuccessor = (row: ChangesTable, commit: ChangesTable): boolean =>
  (row.patch_id !== null && commit.patch_id === row.patch_id) ||
  (row.author_email !== null && commit.author_email === row.author_email && commit.title === row.title)

/** The contents of a reported commit besides its columns. */
function contentTold(told: ToldCommit): ChangeContent {
  const body = told.body ?? null
  const others = body === null ? [] : coAuthorsOf(`${told.subject ?? ''}\n\n${body}`)
  return {
    ...(body !== null && { body }),
    ...(told.tree !== undefined && told.tree !== null && { tree: told.tree }),
    ...(told.parents !== undefined && { parents: told.parents }),
    ...(told.paths !== undefined && told.paths !== null && { paths: told.paths.slice(0, mostPaths) }),
    ...(told.authored_at !== undefined && told.authored_at !== null && { authored_at: told.authored_at }),
    ...(told.committed_at !== undefined && told.committed_at !== null && { committed_at: told.committed_at }),
    ...(others.length > 0 && { co_authors: others }),
  }
}

/** What a stored commit lacks and is reported now. */
function filledOf(
  present: ChangesTable,
  columns: Pick<
    ChangesTable,
    'title' | 'author_name' | 'author_email' | 'author_login' | 'files_changed' | 'additions' | 'deletions' | 'patch_id'
  >,
  told: ChangeContent,
): Partial<ChangesTable> {
  const lacking = Object.entries(columns).filter(([name, value]) => {
    const own = present[name as keyof typeof columns]
    return (own === null || own === '') && value !== null && value !== ''
  })
  const content = contentOf(present)
  const more = Object.entries(told).filter(([name]) => (content[name as keyof ChangeContent] ?? null) === null)
  return {
    ...(Object.fromEntries(lacking) as Partial<ChangesTable>),
    ...(more.length > 0 && { content: toJson({ ...content, ...Object.fromEntries(more) }) }),
  }
}
