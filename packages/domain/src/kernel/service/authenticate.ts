import type { Json } from '@specboard/storage'
import { parseJson, parseNullable } from '../../lib/json.ts'
import type { Flags, StoredCiRun } from '../../schema/contents.ts'
import type { Database, Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { PresetsTable, PrincipalKind } from '../../schema/tables.ts'
import { type Base, ciBase, resolveBase } from '../access/base.ts'
import { isCiToken, isKey, storedKey, unauthorized } from '../access/keys.ts'
import { type Caller, type CiCall, inSession, type Proof } from '../context.ts'

/** An active agent with a key. */
interface AgentRow {
  id: string
  name: string
  kind: PrincipalKind
  preset_id: string | null
  permission_flags: Json<Flags> | null
  revision: number | null
  last_used_at: string | null
  key_hash: string | null
  key_expires_at: string | null
  former_key_hash: string | null
  former_key_until: string | null
  session_generation: number
}

const callingAgents = (db: Db) =>
  db
    .selectFrom('agents')
    .leftJoin('presets', 'presets.id', 'agents.preset_id')
    .select([
      'agents.id',
      'agents.name',
      'agents.kind',
      'agents.preset_id',
      'agents.permission_flags',
      'presets.revision',
      'agents.last_used_at',
      'agents.key_hash',
      'agents.key_expires_at',
      'agents.former_key_hash',
      'agents.former_key_until',
      'agents.session_generation',
    ])
    .where('agents.is_active', '=', 1)
    .where('agents.deleted_at', 'is', null)

const agentByKey = hot<{ hash: string }, AgentRow>((db, param) =>
  callingAgents(db).where('agents.key_hash', '=', param('hash')),
)

const agentByFormerKey = hot<{ hash: string }, AgentRow>((db, param) =>
  callingAgents(db).where('agents.former_key_hash', '=', param('hash')),
)

const agentById = hot<{ id: string }, AgentRow>((db, param) => callingAgents(db).where('agents.id', '=', param('id')))

/** The prefix of a connection's proof, before its id, in place of the hash of a key (people 3.5). */
const connectionMark = 'connection:'

/** The proof of a connection, in place of the hash of a key. */
const connectionProof = (id: string): string => connectionMark + id

interface ConnectedRow extends AgentRow {
  connection_id: string
  scopes: 'read write' | 'read'
  confirm: number
  used_at: string
}

/** Agents that act for a connection which has not ended, of a person who is active. */
const connectedAgents = (db: Db) =>
  callingAgents(db)
    .innerJoin('connections', 'connections.agent_id', 'agents.id')
    .innerJoin('agents as persons', 'persons.id', 'connections.person_id')
    .select([
      'connections.id as connection_id',
      'connections.scopes',
      'connections.confirm',
      'connections.last_used_at as used_at',
    ])
    .where('connections.ended_at', 'is', null)
    .where('persons.is_active', '=', 1)
    .where('persons.deleted_at', 'is', null)

const agentByToken = hot<{ hash: string; now: string }, ConnectedRow>((db, param) =>
  connectedAgents(db)
    .innerJoin('oauth_records', 'oauth_records.grant_id', 'connections.grant_id')
    .where('oauth_records.kind', '=', 'AccessToken')
    .where('oauth_records.id', '=', param('hash'))
    .where('oauth_records.expires_at', '>', param('now')),
)

const agentByConnection = hot<{ id: string }, ConnectedRow>((db, param) =>
  connectedAgents(db).where('connections.id', '=', param('id')),
)

const connectionsOf = hot<{ agent: string }, { id: string }>((db, param) =>
  db.selectFrom('connections').select('id').where('agent_id', '=', param('agent')).where('ended_at', 'is', null),
)

/** A caller identified by the token of a connection. */
export interface ConnectedCaller extends AuthenticatedCaller {
  readonly connection: {
    readonly id: string
    /** Whether the connection may only read. */
    readonly isReadOnly: boolean
    /** Whether the client asks its user before destructive calls. */
    readonly confirms: boolean
    readonly lastUsedAt: string
  }
}

/** The prefix of a CI session's proof, before the hash of its token, in place of the hash of a key (evidence 6.2). */
const ciMark = 'ci:'

interface CiRow {
  board_id: string
  owner_id: string
  repository_id: string
  name: string
  run: Json<StoredCiRun>
  expires_at: string
}

/** The session of a CI run, as long as the trust that issued it exists. */
const ciSession = hot<{ hash: string }, CiRow>((db, param) =>
  db
    .selectFrom('ci_sessions')
    .innerJoin('boards', 'boards.id', 'ci_sessions.board_id')
    .innerJoin('repositories', 'repositories.id', 'ci_sessions.repository_id')
    .select([
      'ci_sessions.board_id',
      'boards.owner_id',
      'ci_sessions.repository_id',
      'ci_sessions.name',
      'ci_sessions.run',
      'ci_sessions.expires_at',
    ])
    .where('ci_sessions.token_hash', '=', param('hash'))
    .where('repositories.ci', 'is not', null),
)

/** The session of a browser, unless it has ended. */
const standingSession = hot<{ hash: string }, { hash: string }>((db, param) =>
  db.selectFrom('web_sessions').select('hash').where('hash', '=', param('hash')),
)

const presetFlags = hot<{ id: string }, Pick<PresetsTable, 'flags'>>((db, param) =>
  db.selectFrom('presets').select('flags').where('id', '=', param('id')),
)

/** The flags of a preset; a deleted preset allows nothing. */
async function flagsOfPreset(db: Db, id: string): Promise<Flags> {
  const [preset] = await presetFlags(db, { id })
  return preset === undefined ? {} : parseJson(preset.flags)
}

/** Maximum number of resolved bases to cache; each is a set of permission names. */
const keptBases = 500

/** The columns from which the base of an agent is resolved. */
export interface ResolvedFrom {
  readonly kind: PrincipalKind
  readonly preset_id: string | null
  readonly revision: number | null
  readonly permission_flags: Json<Flags> | null
}

/**
 * Resolves the bases of agents. They are cached by the preset's revision and the agent's own flags, so that a change of
 * either takes effect with the next request.
 */
export class BaseResolver {
  readonly #kept = new Map<string, Base>()

  /** The base of an agent of this kind with this preset at this revision and these flags (JSON text as stored). */
  async resolve(db: Db, { kind, preset_id: presetId, revision, permission_flags: flags }: ResolvedFrom): Promise<Base> {
    if (kind === 'ci') return ciBase
    const key = `${presetId}:${revision}:${flags}`
    const cached = this.#kept.get(key)
    if (cached !== undefined) return cached
    const base = resolveBase(presetId === null ? null : await flagsOfPreset(db, presetId), parseNullable(flags))
    if (this.#kept.size >= keptBases) this.#kept.clear()
    this.#kept.set(key, base)
    return base
  }
}

/** The caller that a key belongs to, and when it was last seen. */
export interface AuthenticatedCaller {
  readonly caller: Caller
  readonly lastUsedAt: string | null
  /** When the key expires, ms since the epoch. */
  readonly until: number
  /** How often the agent was disabled. */
  readonly sessionGeneration: number
}

/** A caller, still without a proof, with the hashes that tokens in its name may be signed with: one or two. */
export interface KeyedCaller extends AuthenticatedCaller {
  /** The hashes of its currently valid keys. What was signed with such a hash is valid as long as the key. */
  readonly keyHashes: readonly string[]
}

/** Maximum number of callers to cache. */
const keptCallers = 1_000

/**
 * Finds the agent that a key belongs to. Results are cached until an agent or preset changes, in this process or
 * another, so that the change takes effect with the next request.
 */
export class Authenticator {
  /** The bases of agents, cached. */
  readonly bases = new BaseResolver()
  readonly #kept = new Map<string, AuthenticatedCaller>()
  readonly #clock: () => number
  #version: number | undefined

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * The agent that a key belongs to.
   * @throws DomainError UNAUTHORIZED when the key is malformed, unknown or expired, or the agent is deleted or inactive
   */
  async authenticate(
    database: Pick<Database, 'readTogether' | 'watchedVersion'>,
    key: string | undefined,
  ): Promise<AuthenticatedCaller> {
    if (key !== undefined && isCiToken(key)) {
      const hash = ciMark + storedKey(key).key_hash
      return this.#unexpired(await database.readTogether(hash, db => this.#find(db, hash)))
    }
    if (key === undefined || !isKey(key)) throw unauthorized()
    return this.#byKey(database, storedKey(key).key_hash)
  }

  async #byKey(
    database: Pick<Database, 'readTogether' | 'watchedVersion'>,
    keyHash: string,
  ): Promise<AuthenticatedCaller> {
    const version = database.watchedVersion
    if (version !== this.#version || this.#kept.size >= keptCallers) this.#kept.clear()
    this.#version = version
    const cached = this.#kept.get(keyHash)
    if (cached !== undefined) return this.#unexpired(cached)
    const found = await database.readTogether(keyHash, db => this.#find(db, keyHash))
    if (version === this.#version) this.#kept.set(keyHash, found)
    return this.#unexpired(found)
  }

  /**
   * The caller that a proof identifies now, read in the read or unit of work that it is checked for (walls 4).
   * @param version the database's `versionWithin`: what `authenticate` found at this version is still valid
   * @throws DomainError UNAUTHORIZED when the key is no longer valid, the agent is deleted or inactive, or the session
   *   ended
   */
  async proven(db: Db, proof: Proof, version?: number): Promise<Caller> {
    const cached = version !== undefined && version === this.#version ? this.#kept.get(proof.keyHash) : undefined
    const { session } = proof
    const isKeyless = session?.agentId !== undefined && proof.keyHash === keyless
    const found = isKeyless ? this.#byId(db, session.agentId!) : (cached ?? this.#find(db, proof.keyHash))
    if (session === undefined) return this.#unexpired(await found).caller
    const [authenticated, standing] = await Promise.all([found, standingSession(db, { hash: session.hash })])
    if (standing.length === 0 || authenticated.sessionGeneration !== session.generation) throw unauthorized()
    return inSession(this.#unexpired(authenticated).caller, proof.keyHash, session)
  }

  /** What an agent may do before any board narrows it; undefined when it is deleted or inactive. */
  async baseOf(db: Db, id: string): Promise<Base | undefined> {
    const [row] = await agentById(db, { id })
    return row && this.bases.resolve(db, row)
  }

  /** An agent by id, to verify what was signed for it; undefined when it is deleted or inactive. */
  async agent(db: Db, id: string): Promise<KeyedCaller | undefined> {
    const [row] = await agentById(db, { id })
    if (row === undefined) return undefined
    const connections = await connectionsOf(db, { agent: id })
    return {
      ...(await this.#authenticated(db, row, undefined, row.key_expires_at)),
      keyHashes: [...workingKeys(row, this.#clock()), ...connections.map(({ id }) => connectionProof(id))],
    }
  }

  /** A person whose session needs no key. */
  async #byId(db: Db, id: string): Promise<AuthenticatedCaller> {
    const [agent] = await agentById(db, { id })
    if (agent?.kind !== 'person') throw unauthorized()
    return this.#authenticated(db, agent, undefined, null)
  }

  /**
   * The agent that acts for a connection, by its access token; found in one query.
   * @throws DomainError UNAUTHORIZED when the token is unknown, ended or expired
   */
  async byToken(database: Pick<Database, 'read'>, token: string): Promise<ConnectedCaller> {
    const hash = storedKey(token).key_hash
    const now = new Date(this.#clock()).toISOString()
    return database.read(async db => {
      const [row] = await agentByToken(db, { hash, now })
      if (row === undefined) throw unauthorized()
      return this.#connected(db, row)
    })
  }

  async #connected(db: Db, row: ConnectedRow): Promise<ConnectedCaller> {
    const { connection_id: id, scopes, confirm, used_at: lastUsedAt } = row
    const found = await this.#authenticated(db, row, connectionProof(id), null)
    return {
      ...found,
      caller: { ...found.caller, via: 'connection' },
      connection: { id, isReadOnly: scopes === 'read', confirms: confirm === 1, lastUsedAt },
    }
  }

  async #find(db: Db, hash: string): Promise<AuthenticatedCaller> {
    if (hash.startsWith(connectionMark)) {
      const [connected] = await agentByConnection(db, { id: hash.slice(connectionMark.length) })
      if (connected === undefined) throw unauthorized()
      return this.#connected(db, connected)
    }
    if (hash.startsWith(ciMark)) return this.#ofRun(db, hash)
    const [agent] = await agentByKey(db, { hash })
    if (agent !== undefined) return this.#authenticated(db, agent, hash, agent.key_expires_at)
    const [renewed] = await agentByFormerKey(db, { hash })
    if (renewed === undefined) throw unauthorized()
    return this.#authenticated(db, renewed, hash, renewed.former_key_until)
  }

  async #ofRun(db: Db, keyHash: string): Promise<AuthenticatedCaller> {
    const [session] = await ciSession(db, { hash: keyHash.slice(ciMark.length) })
    if (session === undefined) throw unauthorized()
    const { board_id: boardId, owner_id: ownerId, repository_id: repositoryId, name, run, expires_at } = session
    const caller = ciCaller({ boardId, ownerId, repositoryId, run: parseJson(run) }, name, { keyHash })
    return { caller, lastUsedAt: null, until: Date.parse(expires_at), sessionGeneration: 0 }
  }

  #unexpired(found: AuthenticatedCaller): AuthenticatedCaller {
    if (found.until <= this.#clock()) throw unauthorized()
    return found
  }

  async #authenticated(
    db: Db,
    agent: AgentRow,
    keyHash: string | undefined,
    until: string | null,
  ): Promise<AuthenticatedCaller> {
    const base = await this.bases.resolve(db, agent)
    const flags = parseNullable(agent.permission_flags)
    const proof = keyHash === undefined ? undefined : { keyHash }
    const { id, name, kind } = agent
    const caller: Caller = { id, name, kind, via: 'key', present: false, presetId: agent.preset_id, flags, base, proof }
    const { last_used_at, session_generation } = agent
    return { caller, lastUsedAt: last_used_at, until: endOf(until), sessionGeneration: session_generation }
  }
}

/** The caller of a CI run, identified by its repository (evidence 6.2). */
export const ciCaller = (ci: CiCall, name: string, proof?: Proof): Caller => ({
  id: `ci:${ci.repositoryId}`,
  name,
  kind: 'ci',
  via: 'ci',
  present: false,
  presetId: null,
  flags: null,
  base: ciBase,
  proof,
  ci,
})

/** Stands in for the hash of a key where no key is needed. */
export const keyless = ''

/** When a key expires, ms since the epoch. */
const endOf = (until: string | null): number => (until === null ? Number.POSITIVE_INFINITY : Date.parse(until))

/** The hashes of an agent's keys that are valid at a time: its own, and the one just replaced while the two overlap. */
const workingKeys = (
  { key_hash, key_expires_at, former_key_hash, former_key_until }: AgentRow,
  now: number,
): string[] =>
  [
    { hash: key_hash, until: key_expires_at },
    { hash: former_key_hash, until: former_key_until },
  ].flatMap(({ hash, until }) => (hash === null || endOf(until) <= now ? [] : [hash]))
