/** `specboard init --remove` (harness 2.1). */
import { printJson } from '../frame/output.ts'
import { projectFileName } from '../frame/project-file.ts'
import { UsageError } from '../frame/usage-error.ts'
import { type ProjectClient, projectClients } from './client-files.ts'
import { clientsNamed } from './clients-there.ts'
import { removeGitHooks } from './git-hooks.ts'
import type { InitFlags } from './init.ts'
import { type InstallationRecord, installedIn, steppedBack, withClients, withoutInstalled } from './installed.ts'
import { changesAgainst, type FileChange } from './parts.ts'
import { printDryRun, shownFiles } from './print.ts'
import { ProjectFiles } from './project-files.ts'

/**
 * Removes from a project's files what `init` wrote into them, for every client or for those named; files with nothing
 * else in them are deleted. The board and the agents stay, and no service is called (exchange 3).
 */
export async function removeInit(folder: string, flags: InitFlags): Promise<number> {
  const project = ProjectFiles.read(folder, [projectFileName]).textOf(projectFileName)
  const installed = readInstalled(project)
  const selected = flags.client === undefined ? projectClients : clientsNamed(flags.client, folder)
  const remaining = projectClients.filter(client => installed?.clients.includes(client) && !selected.includes(client))
  const changes = toUndo(selected, remaining)
  const paths = [projectFileName, ...changes.map(({ path }) => path)]
  const files = ProjectFiles.read(folder, paths, installed?.folders)
  for (const { path, undo } of changes)
    files.change(path, present => undo(steppedBack(installed?.steps ?? [], path, present) ?? present))
  for (const { path } of changes)
    files.change(path, present => steppedBack(installed?.steps ?? [], path, present) ?? present)
  const wrote = installed !== undefined || files.changes().some(({ changed }) => changed)
  if (remaining.length > 0) files.change(projectFileName, present => withClients(present, remaining))
  else if (wrote) files.change(projectFileName, withoutInstalled)
  if (flags.dryRun) return printDryRun(flags, files)
  let keptHooks: string | undefined
  try {
    files.write()
    if (remaining.length === 0 && installed?.with.includes('git-hooks')) keptHooks = await removeGitHooks(folder)
  } catch (error) {
    files.restore()
    throw error
  }
  const changed = files.changes().filter(file => file.changed)
  if (flags.json) printJson({ files: shownFiles(files).filter(file => file.changed) })
  else if (changed.length === 0) console.log('nothing of Specboard is in this folder')
  else for (const { path, deleted } of changed) console.log(`${deleted ? 'deleted' : 'cleared'} ${path}`)
  if (keptHooks !== undefined && !flags.json) console.log(keptHooks)
  return 0
}

/** The changes to undo: those of the named clients, except for files that the remaining clients still read. */
function toUndo(selected: readonly ProjectClient[], remaining: readonly ProjectClient[]): FileChange[] {
  const sharedPaths = new Set(remaining.length === 0 ? [] : changesAgainst(remaining).map(({ path }) => path))
  return changesAgainst(selected).filter(({ path }) => !sharedPaths.has(path))
}

function readInstalled(project: string): InstallationRecord | undefined {
  try {
    return installedIn(project)
  } catch {
    throw new UsageError(`${projectFileName} is not valid JSON, so nothing was removed. Fix it, then run this again.`)
  }
}
