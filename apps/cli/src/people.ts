import {
  addClientByHand,
  addPerson,
  idSource,
  type ListedPerson,
  linkPerson,
  listedPersons,
  readWithoutLock,
  SecretKey,
  writeWithoutLock,
} from '@specboard/domain'
import { RegistrationRefused, takenMetadata } from '@specboard/http'
import { keepFilesPrivate } from '@specboard/storage'
import { printJson } from './frame/output.ts'
import { UsageError } from './frame/usage-error.ts'
import { placeOf, type Settings } from './settings.ts'
import { peopleUrlOf } from './url-of.ts'

/** The flags of the verbs for people. */
export interface PersonFlags {
  readonly json?: boolean
}

const partsOf = (settings: Settings) => ({
  clock: Date.now,
  newId: idSource(Date.now),
  publicUrl: peopleUrlOf(settings),
})

/** Prints a one-time sign-in link. */
function show(link: { readonly name: string; readonly url: string; readonly expires_at: string }, json = false): void {
  if (json) printJson(link)
  else console.log(`Link for ${link.name}, which works once, until ${link.expires_at.slice(0, 16)}Z: ${link.url}`)
}

/** `specboard person add`: creates a person, and prints a sign-in link (people 1.2). */
export async function addPersonByHand(
  settings: Settings,
  name: string,
  { json, email, preset }: PersonFlags & { readonly email?: string; readonly preset: string },
): Promise<number> {
  keepFilesPrivate()
  const person = { name, preset, ...(email !== undefined && { email }) }
  show(await writeWithoutLock(placeOf(settings), db => addPerson(db, partsOf(settings), person)), json)
  return 0
}

/** `specboard person link`: prints a new sign-in link for a person; the previous one ends. */
export async function linkPersonByHand(settings: Settings, identifier: string, { json }: PersonFlags): Promise<number> {
  keepFilesPrivate()
  show(await writeWithoutLock(placeOf(settings), db => linkPerson(db, partsOf(settings), identifier)), json)
  return 0
}

/** `specboard person list`: the people, one line each. */
export async function listPersonsByHand(settings: Settings, { json }: PersonFlags): Promise<number> {
  keepFilesPrivate()
  const items = await readWithoutLock(placeOf(settings), listedPersons)
  if (json) printJson({ items })
  else for (const person of items) console.log(lineOf(person))
  return 0
}

const lineOf = ({ id, handle, preset, is_active, last_used_at, name, email }: ListedPerson): string =>
  [
    id,
    `@${handle ?? ''}`.padEnd(16),
    (preset ?? 'own rights').padEnd(14),
    (is_active ? `used ${last_used_at?.slice(0, 10) ?? 'never'}` : 'disabled').padEnd(15),
    email === null ? name : `${name} <${email}>`,
  ].join('  ')

/** `specboard oauth client add`: stores an MCP client, and prints its id and secret once (people 3.6). */
export async function addClient(
  settings: Settings,
  name: string,
  { json, redirect }: PersonFlags & { readonly redirect: readonly string[] },
): Promise<number> {
  keepFilesPrivate()
  const metadata = metadataOf(name, redirect)
  const client = await writeWithoutLock(placeOf(settings), db => {
    const secretKey = SecretKey.of(placeOf(settings).folder, settings.secretKeyFile)
    return addClientByHand(db, { ...partsOf(settings), secretKey }, metadata)
  })
  if (json) printJson({ name: metadata.client_name, ...client })
  else console.log(`Client ID: ${client.client_id}\nClient secret: ${client.client_secret}`)
  return 0
}

function metadataOf(client_name: string, redirect_uris: readonly string[]) {
  try {
    return takenMetadata({ client_name, redirect_uris }, 'client_secret_basic')
  } catch (error) {
    if (error instanceof RegistrationRefused) throw new UsageError(`--redirect: ${error.message}`)
    throw error
  }
}
