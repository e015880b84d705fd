/** What the machine's own command line does for people, without anybody being present (people 1.2). */
import { builtinPresets, features } from '@specboard/contract'
import { newKey } from '../../kernel/access/keys.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Environment } from '../../kernel/context.ts'
import type { SecretKey } from '../../kernel/secret-key.ts'
import type { Db } from '../../schema/database.ts'
import { insertRow } from '../../schema/rows.ts'
import { derivedHandle } from '../agents/handles.ts'
import { newAgent } from '../agents/store.ts'
import { sealedClient } from '../connections/clients.ts'
import { commandUnit } from '../seed.ts'
import { makeSignInLink } from './sign-in-links.ts'
import { wereAgentsBefore } from './web-sessions.ts'

type Parts = Pick<Environment, 'clock' | 'newId'>

/** A person as the command line lists it. */
export interface ListedPerson {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly email: string | null
  readonly preset: string | null
  readonly is_active: boolean
  readonly has_key: boolean
  readonly identities: number
  readonly last_used_at: string | null
}

/** The people of a service, in order of creation. */
export async function listedPersons(db: Db): Promise<ListedPerson[]> {
  const rows = await db
    .selectFrom('agents')
    .leftJoin('presets', 'presets.id', 'agents.preset_id')
    .select(({ selectFrom }) => [
      'agents.id',
      'agents.name',
      'agents.handle',
      'agents.email',
      'presets.name as preset',
      'agents.is_active',
      'agents.api_key_prefix',
      'agents.last_used_at',
      selectFrom('identities')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('identities.person_id', '=', 'agents.id')
        .as('identities'),
    ])
    .where('agents.kind', '=', 'person')
    .where('agents.deleted_at', 'is', null)
    .orderBy('agents.created_at')
    .orderBy('agents.id')
    .execute()
  return rows.map(({ api_key_prefix, is_active, identities, ...row }) => ({
    ...row,
    is_active: is_active === 1,
    has_key: api_key_prefix !== '',
    identities: Number(identities ?? 0),
  }))
}

/**
 * Creates a person in the name of the `Local Owner`, and a one-time sign-in link.
 * @param publicUrl where the link leads
 * @throws RangeError for an invalid preset, name or address, or if there is no owner
 */
export async function addPerson(
  db: Db,
  parts: Parts & { readonly publicUrl: string },
  { name, email, preset: presetName }: { readonly name: string; readonly email?: string; readonly preset: string },
) {
  const preset = builtinPresets.find(builtin => builtin.name.toLowerCase() === presetName.toLowerCase())
  if (preset === undefined)
    throw new RangeError(
      `No built-in preset is named "${presetName}". Choose one of ${builtinPresets.map(builtin => builtin.name).join(', ')}.`,
    )
  const { shape } = features.agents.create_agent.body
  const named = shape.name.safeParse(name)
  if (!named.success) throw new RangeError(`The name ${named.error.issues[0]?.message}.`)
  if (email !== undefined && !shape.email.safeParse(email).success)
    throw new RangeError(`"${email}" is not an e-mail address.`)
  const unit = await commandUnit(db, parts)
  const id = unit.newId()
  const handle = await derivedHandle(db, name)
  await insertRow(
    db,
    'agents',
    newAgent(null, {
      id,
      name,
      handle,
      email: email ?? null,
      kind: 'person',
      preset_id: preset.id,
      created_by: unit.caller.id,
      created_at: unit.now(),
    }),
  )
  await recordAudit(unit, 'person_created', { type: 'agent', id, name }, ['kind', 'name', 'preset_id'])
  return { id, name, handle, preset: preset.name, ...(await linkOf(unit, parts.publicUrl, { id, name })) }
}

type Unit = Awaited<ReturnType<typeof commandUnit>>

async function linkOf(unit: Unit, publicUrl: string, { id, name }: { readonly id: string; readonly name: string }) {
  await recordAudit(unit, 'sign_in_link_created', { type: 'agent', id, name }, [])
  return makeSignInLink({ ...unit, environment: { publicUrl } }, id)
}

/**
 * Creates a one-time sign-in link for a person.
 * @param nameOrId its id, handle, address or name
 * @throws RangeError if nobody, or more than one, has that name, or the person is disabled
 */
export async function linkPerson(db: Db, parts: Parts & { readonly publicUrl: string }, nameOrId: string) {
  const persons = await listedPersons(db)
  const identifier = nameOrId.replace(/^@/, '')
  const exact = persons.filter(({ id, handle, email }) => [id, handle, email].includes(identifier))
  const found = exact.length > 0 ? exact : persons.filter(({ name }) => name === nameOrId)
  const [person] = found
  if (person === undefined)
    throw new RangeError(`No person is named "${nameOrId}". "specboard person list" lists who is there.`)
  if (found.length > 1)
    throw new RangeError(`Several are named "${nameOrId}". Use an id: ${found.map(({ id }) => id).join(', ')}.`)
  if (!person.is_active) throw new RangeError(`${person.name} is switched off, and cannot sign in.`)
  const { id, name } = person
  return { id, name, ...(await linkOf(await commandUnit(db, parts), parts.publicUrl, person)) }
}

/** The first agents whose keys can start sessions, by name (people 1.2, rule 4). */
export async function agentsThatMaySignIn(db: Db, rule: 'auto' | 'on' | 'off', max: number): Promise<string[]> {
  if (rule === 'off' || (rule === 'auto' && !(await wereAgentsBefore(db)))) return []
  const rows = await db
    .selectFrom('agents')
    .select('name')
    .where('kind', '=', 'agent')
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .where('key_hash', 'is not', null)
    .orderBy('name')
    .limit(max)
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Stores an MCP client that somebody registered by hand (people 3.6).
 * @returns its id and its secret, shown once
 */
export async function addClientByHand(
  db: Db,
  parts: Parts & { readonly secretKey: SecretKey },
  metadata: { readonly client_name: string },
) {
  const unit = await commandUnit(db, parts)
  const client_id = unit.newId()
  const client_secret = newKey().slice('dash_'.length)
  const registration = { ...metadata, client_secret, client_secret_expires_at: 0 }
  await insertRow(db, 'oauth_clients', {
    id: client_id,
    origin: 'hand',
    metadata: sealedClient(parts.secretKey, client_id, registration),
    created_at: unit.now(),
    used_at: null,
    fresh_until: null,
  })
  const target = { type: 'connection', id: client_id, name: metadata.client_name } as const
  await recordAudit(unit, 'client_registered', target, [])
  return { client_id, client_secret }
}
