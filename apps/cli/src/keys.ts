import {
  createAgentKey,
  idSource,
  type KeyHolder,
  keyHolders,
  readWithoutLock,
  resetOwnerKey,
  revokeKey,
  writeWithoutLock,
} from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { Failure } from './frame/failure.ts'
import { printJson } from './frame/output.ts'
import { placeOf, type Settings } from './settings.ts'

/** The flags of the key verbs. */
export interface KeyFlags {
  readonly json?: boolean
}

const environment = () => ({ clock: Date.now, newId: idSource(Date.now) })

/** Prints a key, once. */
function show(api_key: string, { json }: KeyFlags, about: object = {}): void {
  if (json) printJson({ ...about, api_key })
  else console.log(`API key: ${api_key}`)
}

/** `specboard key create`: creates an agent and prints its key once. */
export async function createKey(
  settings: Settings,
  flags: KeyFlags & { readonly name: string; readonly preset: string },
): Promise<number> {
  keepFilesPrivate()
  const { name, preset } = flags
  const key = await writeWithoutLock(placeOf(settings), db => createAgentKey(db, environment(), name, preset))
  show(key, flags, { name, preset })
  return 0
}

/** `specboard key reset-owner`: prints a new key; the Local Owner's old one stops working with the next request. */
export async function resetOwner(settings: Settings, flags: KeyFlags = {}): Promise<number> {
  keepFilesPrivate()
  const key = await writeWithoutLock(placeOf(settings), db => resetOwnerKey(db, environment()))
  if (key === undefined) throw new Failure('NOT_FOUND', 'there is no Local Owner yet. Start "specboard serve" once.')
  show(key, flags, { name: 'Local Owner' })
  return 0
}

/** `specboard key list`: who has a key, one line each, with the beginning of the key to identify it. */
export async function listKeys(settings: Settings, flags: KeyFlags): Promise<number> {
  keepFilesPrivate()
  const items = await readWithoutLock(placeOf(settings), keyHolders)
  if (flags.json) printJson({ items })
  else for (const holder of items) console.log(lineOf(holder))
  return 0
}

/** `specboard key revoke`: the key of an agent stops working with the next request. */
export async function revoke(settings: Settings, named: string, flags: KeyFlags): Promise<number> {
  keepFilesPrivate()
  const holder = await writeWithoutLock(placeOf(settings), db => revokeKey(db, environment(), named))
  if (flags.json) printJson(holder)
  else console.log(`${holder.name} no longer has a key`)
  return 0
}

const lineOf = (holder: KeyHolder): string =>
  [
    holder.id,
    (holder.api_key_prefix === '' ? 'no key' : `${holder.api_key_prefix}…`).padEnd(16),
    (holder.preset ?? 'own rights').padEnd(14),
    (holder.is_active ? `used ${holder.last_used_at?.slice(0, 10) ?? 'never'}` : 'disabled').padEnd(15),
    holder.name,
  ].join('  ')
