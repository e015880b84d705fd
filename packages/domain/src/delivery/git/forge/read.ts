/** Reads the events of all forges (git 2). Pure. */

import { readAddress } from '@specboard/contract'
import type { RepositoriesTable } from '../../../schema/tables.ts'
import type { ForgeEvent, ReportedRepository } from '../reported.ts'
import { repositoryIn } from './commits.ts'
import { maxLength, textAt } from './fields.ts'
import { readGitea } from './gitea.ts'
import { readGithub } from './github.ts'
import { projectIn, readGitlab } from './gitlab.ts'

type Forge = RepositoriesTable['forge']

const readers: Readonly<Record<Exclude<Forge, 'plain'>, (event: string, payload: unknown) => ForgeEvent>> = {
  github: readGithub,
  gitlab: readGitlab,
  gitea: readGitea,
  forgejo: readGitea,
}

/**
 * The contents of an event. The forge is that of the repository, even if the headers claim another (git 1).
 * @throws UnreadableEvent
 */
export const readEvent = (forge: Exclude<Forge, 'plain'>, event: string, payload: unknown): ForgeEvent =>
  readers[forge](event, payload)

/** The action of an event. */
export const actionOf = (payload: unknown): string | null =>
  textAt(payload, maxLength.login, 'action') ?? textAt(payload, maxLength.login, 'object_attributes', 'action')

/** The repository that an event is about. */
export const repositoryOf = (forge: Forge, payload: unknown): ReportedRepository =>
  forge === 'gitlab' ? projectIn(payload) : repositoryIn(payload)

/** Whether an event belongs to a repository: by its number, or until that is known, by its name. */
export function isAbout(
  { forge, forge_id, url }: Pick<RepositoriesTable, 'forge' | 'forge_id' | 'url'>,
  { id, name }: ReportedRepository,
): boolean {
  if (forge_id !== null) return id === forge_id
  const address = readAddress(url)
  if (name === null || 'fault' in address) return false
  const [own, reportedPath] = [address.path.toLowerCase(), name.toLowerCase()]
  // A self-hosted forge may be below a path of its host.
  return own === reportedPath || (forge !== 'github' && own.endsWith(`/${reportedPath}`))
}

/** The deepest nesting that an event may have. */
const deepest = 64

/** Whether a JSON text is nested deeper than an event may be. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isText) {
      if (code === 0x5c) index++
      else if (code === 0x22) isText = false
    } else if (code === 0x22) isText = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
