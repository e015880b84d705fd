import { createAgentKey, idSource, resetOwnerKey, writeWithoutLock } from '@specboard/domain'
import { keepFilesPrivate } from '@specboard/storage'
import { placeOf, type Settings } from './settings.ts'

const environment = () => ({ clock: Date.now, newId: idSource(Date.now) })

/** `specboard key create`: creates an agent and prints its key once. */
export async function createKey(
  settings: Settings,
  { name, preset }: { readonly name: string; readonly preset: string },
): Promise<number> {
  keepFilesPrivate()
  const key = await writeWithoutLock(placeOf(settings), db => createAgentKey(db, environment(), name, preset))
  console.log(`API key: ${key}`)
  return 0
}

/** `specboard key reset-owner`: prints a new key; the Local Owner's old one fails from the next request on. */
export async function resetOwner(settings: Settings): Promise<number> {
  keepFilesPrivate()
  const key = await writeWithoutLock(placeOf(settings), db => resetOwnerKey(db, environment()))
  if (key === undefined) {
    console.error('specboard: there is no Local Owner yet. Start "specboard serve" once.')
    return 1
  }
  console.log(`API key: ${key}`)
  return 0
}
