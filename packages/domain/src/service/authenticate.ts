import { hash, randomBytes } from 'node:crypto'
import { type Base, type Flags, resolveBase } from '../access/base.ts'
import type { Caller } from '../context.ts'
import { DomainError } from '../errors.ts'
import { parseNullable } from '../json.ts'
import type { Db } from '../storage/executor.ts'
import { hot } from '../storage/hot.ts'

/** `dash_` and 24 random bytes in lower-case hex. */
const keyForm = /^dash_[0-9a-f]{48}$/

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => keyForm.test(text)

/** A new key. It is shown once and stored nowhere. */
export const newKey = (): string => `dash_${randomBytes(24).toString('hex')}`

/** What is stored of a key: its SHA-256, and the first 13 characters to tell keys apart. */
export const storedKey = (key: string): { key_hash: string; api_key_prefix: string } => ({
  key_hash: hash('sha256', key, 'hex'),
  api_key_prefix: key.slice(0, 13),
})

/** 401, one message for all cases, so that a caller cannot tell them apart. */
export const unauthorized = (): DomainError =>
  new DomainError('UNAUTHORIZED', 'A valid API key is needed: send it as "Authorization: Bearer dash_…".')

const agentByKey = hot<
  { hash: string },
  {
    id: string
    name: string
    preset_id: string | null
    permission_flags: string | null
    revision: number | null
    last_used_at: string | null
  }
>((db, param) =>
  db
    .selectFrom('agents')
    .leftJoin('presets', 'presets.id', 'agents.preset_id')
    .select([
      'agents.id',
      'agents.name',
      'agents.preset_id',
      'agents.permission_flags',
      'presets.revision',
      'agents.last_used_at',
    ])
    .where('agents.key_hash', '=', param('hash'))
    .where('agents.is_active', '=', 1)
    .where('agents.deleted_at', 'is', null),
)

const presetFlags = hot<{ id: string }, { flags: string }>((db, param) =>
  db.selectFrom('presets').select('flags').where('id', '=', param('id')),
)

/** Resolved bases that are kept; each is a set of at most 194 names. */
const keptBases = 500

/**
 * Resolves what agents may do. Bases are kept under the preset's revision and the agent's own flags, so
 * that every change of either counts from the next request on.
 */
export class BaseResolver {
  readonly #kept = new Map<string, Base>()

  /** The base of an agent with this preset, its revision, and these flags (JSON text as stored). */
  async resolve(db: Db, presetId: string | null, revision: number | null, flags: string | null): Promise<Base> {
    const key = `${presetId}:${revision}:${flags}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const [preset] = presetId === null ? [] : await presetFlags(db, { id: presetId })
    const base = resolveBase(
      preset === undefined ? null : (JSON.parse(preset.flags) as Flags),
      parseNullable<Flags>(flags),
    )
    if (this.#kept.size >= keptBases) this.#kept.clear()
    this.#kept.set(key, base)
    return base
  }
}

/** The caller of a key, and when it was last seen. */
export interface Authenticated {
  readonly caller: Caller
  readonly lastUsedAt: string | null
}

/**
 * Finds the agent of a key.
 * @throws DomainError UNAUTHORIZED when the key is malformed or unknown, or its agent deleted or inactive
 */
export async function authenticate(db: Db, key: string | undefined, bases: BaseResolver): Promise<Authenticated> {
  if (key === undefined || !isKey(key)) throw unauthorized()
  const [agent] = await agentByKey(db, { hash: storedKey(key).key_hash })
  if (agent === undefined) throw unauthorized()
  const base = await bases.resolve(db, agent.preset_id, agent.revision, agent.permission_flags)
  const flags = parseNullable<Record<string, boolean>>(agent.permission_flags)
  return {
    caller: { id: agent.id, name: agent.name, presetId: agent.preset_id, flags, base },
    lastUsedAt: agent.last_used_at,
  }
}
