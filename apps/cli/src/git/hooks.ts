/** `specboard git install-hooks`: hooks that record what Git does, and start a sync in the background (git 5). */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { refusedCommit } from '../frame/refused-commit.ts'
import type { Git, RepositoryLocation } from './git.ts'
import { folderIn } from './queue.ts'

/** The first words of one of our hooks. */
const mark = '# specboard git hook'

const names = ['post-commit', 'post-merge', 'post-rewrite', 'pre-push'] as const
const trailerName = 'prepare-commit-msg'
const pathsName = 'pre-commit'

type HookName = (typeof names)[number] | typeof trailerName | typeof pathsName

/** A text as a shell word. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Hooks that get input from Git on standard input. */
const readsInput: ReadonlySet<HookName> = new Set(['post-rewrite', 'pre-push'])

/** The lines that record what happened. A commit only waits for appending; sending starts in the background. */
function noting(name: HookName, folder: string, sync: string): string[] {
  const note =
    name === 'post-rewrite'
      ? `printf '%s\\n' "$input" | while read -r line; do [ -n "$line" ] && echo "rewrite $line"; done >> "$d/queue" 2>/dev/null`
      : `echo ${name} >> "$d/queue" 2>/dev/null`
  return [
    `d=${word(folder)}`,
    '[ -d "$d" ] || mkdir -p "$d" 2>/dev/null',
    note,
    `( ${sync} </dev/null >/dev/null 2>&1 & ) 2>/dev/null`,
  ]
}

/** The lines that add the card held in the work tree to a message that names none. */
const trailing = [
  'c="$(git rev-parse --git-dir 2>/dev/null)/specboard/claim"',
  'if [ -f "$c" ] && [ "$(grep -c . "$c")" = 1 ] && ! grep -qi \'^specboard:\' "$1"; then',
  '  git interpret-trailers --in-place --trailer "Specboard: $(cat "$c")" "$1" 2>/dev/null',
  'fi',
]

/**
 * The lines that ask who else works on the files of the commit; only a refusal by the service stops the commit (harness
 * 5.8).
 */
const asking = (check: string): string[] => [
  `git diff --cached --name-only --no-renames -z 2>/dev/null | ${check}`,
  `[ $? = ${refusedCommit} ] && exit 1`,
]

/** The commands that hooks start. */
interface Commands {
  readonly sync: string
  readonly check: string
}

/** The text of a hook. A hook that existed before is called first, and can still reject. */
function textOf(name: HookName, folder: string, { sync, check }: Commands): string {
  const input = readsInput.has(name)
  const own = name === trailerName ? trailing : name === pathsName ? asking(check) : noting(name, folder, sync)
  return withPrint([
    ...(input ? ['input=$(cat)'] : []),
    `before="$0.before-specboard"`,
    'if [ -x "$before" ]; then',
    input ? `  printf '%s\\n' "$input" | "$before" "$@" || exit $?` : '  "$before" "$@" || exit $?',
    'fi',
    ...own,
    'exit 0',
    '',
  ])
}

const printOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 12)

/** The text of a hook with a fingerprint of its lines, by which it is seen whether somebody edited them. */
function withPrint(lines: readonly string[]): string {
  const body = lines.join('\n')
  return `#!/bin/sh\n${mark} ${printOf(body)}: remove it with specboard git install-hooks --uninstall\n${body}`
}

/** Whether somebody edited one of our hooks; one that an earlier version wrote without a fingerprint counts as unedited. */
function isEdited(text: string): boolean {
  const [, title = '', ...body] = text.split('\n')
  const print = / hook ([0-9a-f]{12}):/.exec(title)?.[1]
  return print !== undefined && printOf(body.join('\n')) !== print
}

/** The tool that manages the hooks of a folder itself; undefined if there is none. */
function keeperOf(folder: string, root: string): string | undefined {
  if (folder.split(sep).includes('.husky')) return 'husky'
  return existsSync(join(root, 'lefthook.yml')) ? 'lefthook' : undefined
}

/** The result of an installation. */
export interface InstallationResult {
  readonly folder: string
  readonly hooks: readonly string[]
  /** What to add by hand, if a tool writes the hooks. */
  readonly advice: string | undefined
  /** The files in which hooks of ours that somebody had edited are kept. */
  readonly keptFiles: readonly string[]
}

const isOurs = (file: string): boolean => existsSync(file) && readFileSync(file, 'utf8').includes(mark)

/** Keeps a hook of ours beside itself if somebody edited it. Returns the file, if there is one. */
function keepEdited(file: string): string[] {
  if (!isOurs(file) || !isEdited(readFileSync(file, 'utf8'))) return []
  let copy = `${file}.edited`
  for (let number = 2; existsSync(copy); number++) copy = `${file}.edited-${number}`
  renameSync(file, copy)
  return [copy]
}

/** The folder of the hooks, according to Git. */
async function hooksFolder(git: Git): Promise<string> {
  const path = (await git.text('rev-parse', '--git-path', 'hooks')).trimEnd()
  return isAbsolute(path) ? path : join(git.folder, path)
}

/** A prefix that runs hooks at low priority, if this machine has the programs. */
const gently = (): readonly string[] => ['/usr/bin/nice', '/bin/nice'].filter(file => existsSync(file)).slice(0, 1)

/** The commands that hooks start. */
function commandsOf(git: Git, board: string | undefined): Commands {
  const command = (...words: readonly string[]) =>
    [process.execPath, process.argv[1]!, ...words, ...(board === undefined ? [] : ['--board', board])].map(word)
  const sync = [...gently().map(word), ...command('git', 'sync', '--repo', git.folder)]
  return { sync: sync.join(' '), check: command('paths', 'check', '--pre-commit').join(' ') }
}

/** Options of the installation. */
export interface HookOptions {
  /** Whether the claimed card is added to commit messages. */
  readonly trailer: boolean
  /** Whether files that others work on are named before a commit. */
  readonly paths: boolean
  /** The board that gets the reports, if the project's file does not name one. */
  readonly board: string | undefined
}

/** Installs the hooks; those that are there are kept and called first, edited ones of ours are kept beside them. */
export async function installHooks(
  git: Git,
  place: RepositoryLocation,
  { trailer, paths, board }: HookOptions,
): Promise<InstallationResult> {
  const folder = await hooksFolder(git)
  const root = (await git.line('rev-parse', '--show-toplevel')) ?? git.folder
  const commands = commandsOf(git, board)
  const keeper = keeperOf(folder, root)
  if (keeper !== undefined) {
    const checked = paths ? ` And this one to its ${pathsName}: ${asking(commands.check).join('; ')}` : ''
    const advice = `${keeper} writes the hooks here. Add this line to its ${names.join(', ')}: ${commands.sync} &${checked}`
    return { folder, hooks: [], advice, keptFiles: [] }
  }
  const all: readonly HookName[] = [
    ...names,
    ...(trailer ? ([trailerName] as const) : []),
    ...(paths ? ([pathsName] as const) : []),
  ]
  mkdirSync(folder, { recursive: true })
  mkdirSync(folderIn(place.commonDir), { recursive: true })
  const keptFiles = all.flatMap(name => keepEdited(join(folder, name)))
  for (const name of all) {
    const file = join(folder, name)
    if (existsSync(file) && !isOurs(file)) renameSync(file, `${file}.before-specboard`)
    writeFileSync(file, textOf(name, folderIn(place.commonDir), commands))
    chmodSync(file, 0o755)
  }
  return { folder, hooks: all, advice: undefined, keptFiles }
}

/** Tells of edited hooks that are kept; undefined if there are none. */
export const keptLine = ({ keptFiles }: InstallationResult): string | undefined =>
  keptFiles.length === 0
    ? undefined
    : `Edited by hand, so kept: ${keptFiles.join(', ')}. Git does not run them; what stands in a hook named *.before-specboard runs first.`

/** Whether hooks of ours are installed. */
export async function hasHooks(git: Git): Promise<boolean> {
  const folder = await hooksFolder(git)
  return [...names, trailerName, pathsName].some(name => isOurs(join(folder, name)))
}

/** Removes the hooks, restores the previous ones, and leaves no trace but of hooks that somebody edited. */
export async function uninstallHooks(git: Git, place: RepositoryLocation): Promise<InstallationResult> {
  const folder = await hooksFolder(git)
  const removed = [...names, trailerName, pathsName].filter(name => isOurs(join(folder, name)))
  const keptFiles = removed.flatMap(name => keepEdited(join(folder, name)))
  for (const name of removed) {
    const file = join(folder, name)
    rmSync(file, { force: true })
    if (existsSync(`${file}.before-specboard`)) renameSync(`${file}.before-specboard`, file)
  }
  rmSync(folderIn(place.commonDir), { recursive: true, force: true })
  return { folder, hooks: removed, advice: undefined, keptFiles }
}
