/** `specboard login`, `logout`, `whoami`: the key of a person's machine, saved outside every project (harness 1). */
import { ClientError, createClient } from '@specboard/client'
import { Credentials, defaultProfile } from '../frame/credentials.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { isWebAddress } from '../frame/project-file.ts'
import { isLoopback, keyed, type Target, type TargetFlags, targetOf } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { askHidden, pipedLine } from './hidden-input.ts'

/** The flags of `specboard login` and `logout`. */
export interface LoginFlags {
  readonly profile?: string
  readonly keyStdin?: boolean
  readonly json?: boolean
}

const profileName = /^[A-Za-z0-9][\w.-]{0,63}$/

/** The address and profile of a command. */
function placeOf(address: string | undefined, { profile }: LoginFlags) {
  if (address !== undefined && !isWebAddress(address))
    throw new UsageError(`"${address}" is not an address such as https://specboard.example.com.`)
  const target = targetOf(process.env, process.cwd(), {
    ...(address !== undefined && { url: address }),
    ...(profile !== undefined && { profile }),
  })
  if (!profileName.test(target.profile))
    throw new UsageError(`--profile takes letters, digits, ".", "_" and "-", not "${target.profile}".`)
  return target
}

/** `specboard login`: asks for a key, tests it and saves it. */
export async function login(address: string | undefined, flags: LoginFlags): Promise<number> {
  const target = placeOf(address, flags)
  const { url, profile } = target
  // A user who gave no address has not said that a project's address is trusted.
  if (target.refusal !== undefined && address === undefined) throw new UsageError(target.refusal)
  const credentials = Credentials.read(process.env)
  if (new URL(url).protocol === 'http:' && !isLoopback(url))
    console.error(`specboard: ${url} is not encrypted; anyone along the way can read the key.`)
  const key = (flags.keyStdin ? await pipedLine() : await askHidden(`API key for ${url}: `)).trim()
  // A text that no header can carry cannot be a key either.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('A key is one word, such as dash_… that "key create" prints.')
  const { agent_id, agent_name, preset_name } = await whoHas(url, key)
  credentials.save(url, profile, { key, agent_id, agent_name, saved_at: new Date().toISOString() })
  if (flags.json) printJson({ url, profile, agent_id, agent_name, preset: preset_name, file: credentials.file })
  else console.log(`${agent_name} at ${url}${profile === defaultProfile ? '' : `, profile ${profile}`}`)
  return 0
}

/**
 * Who a key belongs to.
 * @throws Failure for a key that the service refuses
 */
async function whoHas(url: string, key: string, fields: { readonly board_id?: string } = {}) {
  try {
    return await reaching({ url }, () => createClient({ url, key }).getMyPermissions(fields))
  } catch (error) {
    if (error instanceof ClientError && error.status === 401)
      throw new Failure('UNAUTHORIZED', `${url} refuses the key. "specboard key create" makes another one there.`)
    throw error
  }
}

/** `specboard logout`: removes a saved key; the key itself stays valid. */
export function logout(address: string | undefined, flags: LoginFlags): number {
  const { url, profile } = placeOf(address, flags)
  const credentials = Credentials.read(process.env)
  if (!credentials.remove(url, profile)) {
    const profiles = credentials.addresses.flatMap(each =>
      credentials.profilesOf(each).map(name => `${each} (${name})`),
    )
    const hint = profiles.length === 0 ? 'none is saved' : `saved keys: ${profiles.join(', ')}`
    throw new Failure('NOT_FOUND', `No key is saved for ${url}, profile ${profile}; ${hint}.`)
  }
  if (flags.json) printJson({ url, profile })
  else console.log(`no key for ${url} any more${profile === defaultProfile ? '' : `, profile ${profile}`}`)
  return 0
}

/** The flags of `specboard whoami`. */
export interface WhoFlags extends TargetFlags {
  readonly json?: boolean
}

/** `specboard whoami`: address, agent, preset and board, and where each was found. */
export async function whoami(flags: WhoFlags, to: Target): Promise<number> {
  const { url, key, from, board } = keyed(to)
  const { agent_id, agent_name, preset_id, preset_name, customized } = await whoHas(url, key)
  if (flags.json) {
    const identity = { agent_id, agent_name, preset_id, preset: preset_name, customized }
    printJson({
      url,
      url_from: from.url,
      ...identity,
      key_from: from.key,
      board: board ?? null,
      board_from: from.board ?? null,
    })
    return 0
  }
  const preset = `${preset_name ?? 'none'}${customized ? ', with changes of its own' : ''}`
  const lines = [
    ['service', url, from.url],
    ['agent', `${agent_name} ${agent_id}`, `key from ${from.key}`],
    ['preset', preset, 'the service'],
    ...(board === undefined ? [] : [['board', board, from.board]]),
  ]
  for (const [name, value, source] of lines) console.log(`${name!.padEnd(8)} ${value} (${source})`)
  return 0
}
