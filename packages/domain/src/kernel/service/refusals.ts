import type { Permission } from '@specboard/contract'
import { Access, ForbiddenError } from '../access/access.ts'
import { firstHolders, type Holder, holdersAmong, presetsHolding } from '../access/holders.ts'
import { reachByType } from '../access/records.ts'
import { type Caller, seenBy } from '../context.ts'
import { DomainError } from '../errors.ts'
import { PersonRequired, withPersons } from '../person-required.ts'
import type { Authenticator } from './authenticate.ts'
import type { Call } from './call.ts'
import type { ServiceDatabase } from './composition.ts'
import { nobody } from './nobody.ts'
import { withOtherKind } from './other-kind.ts'
import { storageRefusal } from './storage-refusal.ts'

/** Turns failures into the errors that callers get. */
export class Refusals {
  readonly #database: ServiceDatabase
  readonly #authenticator: Authenticator
  readonly #publicUrl: string | undefined

  /** @param publicUrl the origin at which people reach the service, if there is one */
  constructor(database: ServiceDatabase, authenticator: Authenticator, publicUrl: string | undefined) {
    this.#database = database
    this.#authenticator = authenticator
    this.#publicUrl = publicUrl
  }

  /** A failure as the error that the caller gets. */
  of(error: unknown): unknown {
    return storageRefusal(this.#database.faultOf(error))
  }

  /**
   * The failure of a call as the error that its caller gets: a missing permission with those who hold it (access 2.3),
   * a missing record with the kind that the id belongs to, and a missing person with those who can act.
   */
  async explained({ caller: given, within }: Pick<Call, 'caller' | 'within'>, error: unknown): Promise<unknown> {
    const caller = given ?? nobody
    if (error instanceof DomainError && error.code === 'NOT_FOUND' && given !== null)
      return this.#database.read(db => withOtherKind(db, { agentId: seenBy(caller), within }, error))
    if (error instanceof PersonRequired)
      return this.#database.read(db => withPersons(db, this.#authenticator.bases, error, this.#publicUrl))
    if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN') return this.of(error)
    const { permission, board_id } = error.extra
    if (permission === undefined) return error
    const isOnBoard = error instanceof ForbiddenError && typeof board_id === 'string'
    const held_by = isOnBoard ? await this.#holders(caller, board_id, error.required) : []
    const presets = presetsHolding(permission as Permission)
    return new DomainError('FORBIDDEN', error.message, { ...error.extra, held_by, presets })
  }

  /** Agents on a board that hold all of the permissions; empty for a caller that may not read agents there. */
  async #holders(caller: Caller, boardId: string, names: readonly Permission[]): Promise<readonly Holder[]> {
    const reads = await this.#database.read(async db => {
      const { way } = await reachByType(db, 'board', boardId, seenBy(caller))
      return new Access(caller.base, way).allows('AGENTS_READ')
    })
    if (!reads) return []
    // One read for each part, so that a board with many agents does not hold up other calls.
    return firstHolders(offset =>
      this.#database.read(db => holdersAmong(db, this.#authenticator.bases, boardId, names, offset)),
    )
  }
}
