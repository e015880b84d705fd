/** The clients that a project or this machine has (harness 2.1). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOnPath } from '../frame/on-path.ts'
import { UsageError } from '../frame/usage-error.ts'
import { clientFiles, type ProjectClient, projectClients } from './client-files.ts'

/** The folder of each client in a project. */
const folders: Readonly<Record<ProjectClient, string>> = {
  'claude-code': '.claude',
  cursor: '.cursor',
  vscode: '.vscode',
  codex: '.codex',
  gemini: '.gemini',
}

const programs: Readonly<Record<ProjectClient, string>> = {
  'claude-code': 'claude',
  cursor: 'cursor-agent',
  vscode: 'code',
  codex: 'codex',
  gemini: 'gemini',
}

/** The clients whose folder is in the project, or whose program is on the path. */
export const clientsThere = (
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): ProjectClient[] =>
  projectClients.filter(
    client =>
      existsSync(join(folder, folders[client])) ||
      existsSync(join(folder, clientFiles[client])) ||
      isOnPath(programs[client], variables),
  )

/**
 * The clients of a comma list, or of `auto`.
 * @throws UsageError for an unknown client
 */
export function clientsNamed(list: string, folder: string): readonly ProjectClient[] {
  if (list === 'auto') return clientsThere(folder, process.env)
  return [...new Set(list.split(',').map(name => name.trim()))].map(name => {
    const match = projectClients.find(client => client === name)
    if (match === undefined)
      throw new UsageError(`--client must be auto, or any of ${projectClients.join(', ')}, not "${name}".`)
    return match
  })
}
