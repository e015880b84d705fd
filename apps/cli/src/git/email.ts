/** The e-mail address by which the service knows an agent as the author of commits (git 8). */
import { createClient } from '@specboard/client'
import { reaching } from '../frame/failure.ts'
import { keyed, type Target } from '../frame/target.ts'
import type { Git } from './git.ts'

const domain = '@specboard'

/** The address that git signs commits of this clone with, and the one of the agent. */
export interface Email {
  readonly now: string | null
  readonly agent_name: string
  readonly agent: string
  /** Whether it was set for this clone. */
  readonly set: boolean
}

const emailNow = async (git: Git): Promise<string | null> => (await git.line('config', '--get', 'user.email')) ?? null

/** Whom the key belongs to; null without a key, or if the service is not reachable: hooks are installed anyway. */
async function agentOf(
  targetNow: () => Promise<Target>,
): Promise<{ readonly id: string; readonly name: string } | null> {
  try {
    const target = keyed(await targetNow())
    const { agent_id, agent_name } = await reaching(target, () => createClient(target).getMyPermissions({}))
    return { id: agent_id, name: agent_name }
  } catch {
    return null
  }
}

/**
 * Finds the address of the agent whose key is used.
 * @param set whether to set it for this clone
 * @returns null where it is not known
 */
export async function offerEmail(git: Git, targetNow: () => Promise<Target>, set: boolean): Promise<Email | null> {
  const agent = await agentOf(targetNow)
  if (agent === null) return null
  const email = `${agent.id}${domain}`
  if (set) await setEmail(git, email)
  return { now: await emailNow(git), agent_name: agent.name, agent: email, set }
}

/** The name of the Git setting that keeps the address that this clone had before. */
const beforeName = 'specboard.emailBefore'

const ownEmail = (git: Git) => git.line('config', '--local', '--get', 'user.email')

async function setEmail(git: Git, email: string): Promise<void> {
  const own = await ownEmail(git)
  if (own !== undefined && !own.endsWith(domain)) await git.text('config', '--local', beforeName, own)
  await git.text('config', '--local', 'user.email', email)
}

/** Takes back an address that was set for this clone. */
export async function removeEmail(git: Git): Promise<null> {
  const before = await git.line('config', '--local', '--get', beforeName)
  if (before !== undefined) await git.text('config', '--local', '--remove-section', 'specboard')
  if (!(await ownEmail(git))?.endsWith(domain)) return null
  if (before === undefined) await git.text('config', '--local', '--unset', 'user.email')
  else await git.text('config', '--local', 'user.email', before)
  return null
}

/** The line that reports the address; undefined if there is nothing to report. */
export function emailLine(email: Email | null): string | undefined {
  if (email === null) return undefined
  const { now, agent, agent_name, set } = email
  if (set) return `commits here are authored as ${agent}: the service attributes them to ${agent_name}`
  if (now === agent) return undefined
  return `To attribute commits here to ${agent_name}: git config user.email ${agent} (or --email)`
}
