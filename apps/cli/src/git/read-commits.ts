/** Reads commits of a repository, with one process for all (git 5). */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, RepositoryLocation } from './git.ts'

/** A commit in the form of record_changes. */
export interface ReadCommit {
  readonly sha: string
  readonly parents: string[]
  readonly tree: string
  readonly patch_id?: string
  readonly subject: string
  readonly body: string
  readonly author_name: string
  readonly author_email: string
  readonly committer_email: string
  readonly authored_at: string
  readonly committed_at: string
  readonly files_changed?: number
  readonly additions?: number
  readonly deletions?: number
  readonly paths?: string[]
}

const fields = ['%H', '%P', '%T', '%an', '%ae', '%ce', '%aI', '%cI', '%s', '%b'] as const

const utc = (time: string): string => new Date(time).toISOString()

const numstatLine = /^(\d+|-)\t(\d+|-)\t(.+)$/

/** The lines of `--numstat`. */
function figuresOf(text: string) {
  const files = text.split('\n').flatMap(line => {
    const [, added, removed, path] = numstatLine.exec(line) ?? []
    return path === undefined ? [] : [{ added: Number(added) || 0, removed: Number(removed) || 0, path }]
  })
  const sum = (name: 'added' | 'removed') => files.reduce((total, file) => total + file[name], 0)
  return {
    files_changed: files.length,
    additions: sum('added'),
    deletions: sum('removed'),
    paths: files.map(({ path }) => path),
  }
}

/** A commit from its part of the log. */
function commitOf(part: string): ReadCommit {
  const values = part.split('\0')
  const [sha, parents, tree, name, email, committer, authored, committed, subject, body] = values as string[]
  const isMerge = parents!.includes(' ')
  return {
    sha: sha!,
    parents: parents === '' ? [] : parents!.split(' '),
    tree: tree!,
    subject: subject!,
    body: body!.trimEnd(),
    author_name: name!,
    author_email: email!,
    committer_email: committer!,
    authored_at: utc(authored!),
    committed_at: utc(committed!),
    // A merge has no line counts of its own.
    ...(!isMerge && figuresOf(values[fields.length] ?? '')),
  }
}

/** The commits whose parents are missing in a shallow clone: their patches would be whole trees. */
function boundaryOf({ commonDir, isShallow }: RepositoryLocation): ReadonlySet<string> {
  if (!isShallow) return new Set()
  return new Set(readFileSync(join(commonDir, 'shallow'), 'utf8').split('\n'))
}

/** The commits of a `git rev-list` range, oldest first. */
export async function readCommits(
  git: Git,
  place: RepositoryLocation,
  range: readonly string[],
): Promise<ReadCommit[]> {
  const mark = randomBytes(12).toString('hex')
  const format = `--format=${mark}${fields.join('%x00')}%x00`
  const log = ['log', '--topo-order', '--reverse', '--no-renames']
  const text = await git.text(...log, '--numstat', format, ...range, '--')
  const commits = text.split(mark).slice(1).map(commitOf)
  if (commits.length === 0) return []
  const patches = await git.piped(['log', '-p', '--no-ext-diff', ...range, '--'], ['patch-id', '--stable'])
  const patchOf = new Map(
    patches.split('\n').flatMap(line => {
      const [patch, sha] = line.split(' ')
      return sha === undefined ? [] : [[sha, patch!] as const]
    }),
  )
  const boundary = boundaryOf(place)
  return Promise.all(
    commits.map(async commit => {
      if (boundary.has(commit.sha)) return atBoundary(git, commit)
      const patch = patchOf.get(commit.sha)
      return patch === undefined ? commit : { ...commit, patch_id: patch }
    }),
  )
}

/**
 * A commit whose parents are missing in the clone, with the parents named in its object; its lines and paths are
 * unknown.
 */
async function atBoundary(git: Git, commit: ReadCommit): Promise<ReadCommit> {
  const object = await git.text('cat-file', 'commit', commit.sha)
  const head = object.slice(0, object.indexOf('\n\n')).split('\n')
  const parents = head.flatMap(line => (line.startsWith('parent ') ? [line.slice('parent '.length)] : []))
  const { files_changed: _, additions: _added, deletions: _deleted, paths: _paths, ...rest } = commit
  return { ...rest, parents }
}
