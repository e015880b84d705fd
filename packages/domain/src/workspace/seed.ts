import { builtinPresets, features } from '@specboard/contract'
import { builtinFlags } from '../kernel/access/base.ts'
import { isKey, newKey } from '../kernel/access/keys.ts'
import { recordAudit } from '../kernel/audit.ts'
import type { Environment } from '../kernel/context.ts'
import type { SecretKey } from '../kernel/secret-key.ts'
import { keyless } from '../kernel/service/authenticate.ts'
import { handleStem } from '../lib/handle.ts'
import { toJson } from '../lib/json.ts'
import type { Db } from '../schema/database.ts'
import { insertRow, updateRow } from '../schema/rows.ts'
import type { AgentsTable } from '../schema/tables.ts'
import { derivedHandle } from './agents/handles.ts'
import { keyColumns, newAgent, noKey } from './agents/store.ts'
import { makeSecret } from './tokens/stored-secret.ts'

const fullControl = builtinPresets.find(preset => preset.letter === null)!

/** Writes the built-in presets at the first start and repairs them at each later one (access 10). */
export async function seedPresets(db: Db, now: string): Promise<void> {
  for (const builtin of builtinPresets) {
    const { id, name, description } = builtin
    const flags = toJson(builtinFlags(builtin))
    const stored = await db
      .selectFrom('presets')
      .select(['name', 'description', 'flags', 'revision'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (stored === undefined) {
      await insertRow(db, 'presets', {
        id,
        owner_id: null,
        name,
        description,
        is_builtin: 1,
        base_preset_id: null,
        flags,
        revision: 1,
        created_at: now,
        updated_at: now,
      })
    } else if (stored.name !== name || stored.description !== description || stored.flags !== flags) {
      await updateRow(db, 'presets', id, { name, description, flags, revision: stored.revision + 1, updated_at: now })
    }
  }
}

/**
 * Creates the first agent, `Local Owner`, when there is none (access 1).
 * @param ownKey the key to use; generated when undefined
 * @returns the generated key, to be shown once; undefined when there is an agent already or `ownKey` was given
 * @throws TypeError when `ownKey` is malformed
 */
export async function seedOwner(
  db: Db,
  environment: Environment,
  ownKey: string | undefined,
): Promise<string | undefined> {
  const some = await db.selectFrom('agents').select('id').limit(1).executeTakeFirst()
  if (some !== undefined) return undefined
  if (ownKey !== undefined && !isKey(ownKey)) {
    throw new TypeError('SPECBOARD_OWNER_API_KEY must be "dash_" and 48 lower-case hexadecimal digits.')
  }
  const key = ownKey ?? newKey()
  const id = environment.newId()
  const created_at = new Date(environment.clock()).toISOString()
  await insertRow(
    db,
    'agents',
    newAgent(key, {
      id,
      name: ownerName,
      kind: 'person',
      handle: handleStem(ownerName),
      preset_id: fullControl.id,
      created_by: id,
      created_at,
    }),
  )
  return ownKey === undefined ? key : undefined
}

/** The name of the first agent. */
const ownerName = 'Local Owner'

/**
 * Creates an agent with a built-in preset in the name of the `Local Owner`, and returns its key, to be shown once.
 * @throws RangeError when the preset's name is unknown, the agent's name is invalid, or there is no owner
 */
export async function createAgentKey(
  db: Db,
  environment: Pick<Environment, 'clock' | 'newId'>,
  name: string,
  presetName: string,
): Promise<string> {
  const preset = builtinPresets.find(builtin => builtin.name.toLowerCase() === presetName.toLowerCase())
  if (preset === undefined) {
    throw new RangeError(
      `No built-in preset is named "${presetName}". Choose one of ${builtinPresets.map(builtin => builtin.name).join(', ')}.`,
    )
  }
  const named = features.agents.create_agent.body.shape.name.safeParse(name)
  if (!named.success) throw new RangeError(`The name ${named.error.issues[0]?.message}.`)
  const owner = await findOwner(db)
  if (owner === undefined) throw new RangeError('There is no Local Owner yet. Start "specboard serve" once.')
  const key = newKey()
  const unit = unitOf(db, environment, owner)
  const id = unit.newId()
  const handle = await derivedHandle(db, name)
  const fields = { id, name, handle, preset_id: preset.id, created_by: owner.id, created_at: unit.now() }
  await insertRow(db, 'agents', newAgent(key, fields))
  await recordAudit(unit, 'agent_created', { type: 'agent', id, name }, ['name', 'preset_id'])
  return key
}

/** Activates the `Local Owner`, gives it a new key and returns the key (access 1); undefined when there is no owner. */
export async function resetOwnerKey(
  db: Db,
  environment: Pick<Environment, 'clock' | 'newId'>,
): Promise<string | undefined> {
  const owner = await findOwner(db)
  if (owner === undefined) return undefined
  const key = newKey()
  await updateRow(db, 'agents', owner.id, { ...keyColumns(key), is_active: 1 })
  const fields = owner.is_active === 1 ? ['api_key'] : ['api_key', 'is_active']
  await recordAudit(
    unitOf(db, environment, owner),
    'key_regenerated',
    { type: 'agent', id: owner.id, name: owner.name },
    fields,
  )
  return key
}

/** An agent as the command line lists it; of its key, only the beginning is known. */
export interface KeyHolder {
  readonly id: string
  readonly name: string
  readonly kind: AgentsTable['kind']
  /** Null if its own permissions replace a preset. */
  readonly preset: string | null
  /** Empty if it has no key. */
  readonly api_key_prefix: string
  readonly key_expires_at: string | null
  readonly is_active: boolean
  readonly last_used_at: string | null
}

/** Everybody who may have a key, in order of creation. */
export async function keyHolders(db: Db): Promise<KeyHolder[]> {
  const rows = await db
    .selectFrom('agents')
    .leftJoin('presets', 'presets.id', 'agents.preset_id')
    .select([
      'agents.id',
      'agents.name',
      'agents.kind',
      'presets.name as preset',
      'agents.api_key_prefix',
      'agents.key_expires_at',
      'agents.is_active',
      'agents.last_used_at',
    ])
    .where('agents.deleted_at', 'is', null)
    .orderBy('agents.created_at')
    .orderBy('agents.id')
    .execute()
  return rows.map(row => ({ ...row, is_active: row.is_active === 1 }))
}

/**
 * Revokes the key of an agent, from its next request on; the agent and its work stay.
 * @param named its id, its name or the beginning of its key
 * @throws RangeError if nobody, or more than one, matches, or it is the `Local Owner`
 */
export async function revokeKey(
  db: Db,
  environment: Pick<Environment, 'clock' | 'newId'>,
  named: string,
): Promise<KeyHolder> {
  const holders = await keyHolders(db)
  const byId = holders.filter(({ id, api_key_prefix }) => named !== '' && [id, api_key_prefix].includes(named))
  const found = byId.length > 0 ? byId : holders.filter(({ name }) => name === named)
  const [holder] = found
  if (holder === undefined) throw new RangeError(`Nobody is named "${named}". "specboard key list" lists who is there.`)
  if (found.length > 1)
    throw new RangeError(`Several are named "${named}". Use an id: ${found.map(({ id }) => id).join(', ')}.`)
  const owner = await findOwner(db)
  if (owner === undefined || owner.id === holder.id)
    throw new RangeError('The Local Owner keeps a key. "specboard key reset-owner" gives it another.')
  await updateRow(db, 'agents', holder.id, noKey)
  const target = { type: 'agent', id: holder.id, name: holder.name } as const
  await recordAudit(unitOf(db, environment, owner), 'key_regenerated', target, ['api_key', 'remove'])
  return { ...holder, api_key_prefix: '', key_expires_at: null }
}

interface OwnerSigning {
  readonly agentId: string
  readonly binding: { readonly keyHash: string; readonly sessionGeneration: number }
  readonly secret: Buffer
}

/**
 * What is needed to sign in the name of the `Local Owner`: its id, what a token is bound to, and a secret of the
 * service; undefined when there is no owner, or it is disabled.
 */
export async function ownerSigning(db: Db, secretKey: SecretKey, secret: string): Promise<OwnerSigning | undefined> {
  const owner = await findOwner(db)
  if (owner === undefined || owner.is_active === 0) return undefined
  return {
    agentId: owner.id,
    binding: { keyHash: owner.key_hash ?? keyless, sessionGeneration: owner.session_generation },
    secret: await makeSecret(db, secretKey, secret),
  }
}

/** The unit of work of the command line, which acts in the name of the owner. */
const unitOf = (db: Db, { clock, newId }: Pick<Environment, 'clock' | 'newId'>, owner: Owner) => ({
  db,
  newId,
  now: () => new Date(clock()).toISOString(),
  caller: { ...owner, via: 'service' as const },
  origin: 'cli' as const,
})

/**
 * The same, for the current owner.
 * @throws RangeError if there is none yet
 */
export async function commandUnit(db: Db, environment: Pick<Environment, 'clock' | 'newId'>) {
  const owner = await findOwner(db)
  if (owner === undefined) throw new RangeError('There is no Local Owner yet. Start "specboard serve" once.')
  return unitOf(db, environment, owner)
}

type Owner = Pick<AgentsTable, 'id' | 'name' | 'kind' | 'is_active' | 'key_hash' | 'session_generation'>

/** The `Local Owner`: the first agent, which is its own creator. */
export const findOwner = (db: Db): Promise<Owner | undefined> =>
  db
    .selectFrom('agents')
    .select(['id', 'name', 'kind', 'is_active', 'key_hash', 'session_generation'])
    .whereRef('created_by', '=', 'id')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
