import type { AnyOperation } from '@specboard/contract'
import { quotedName } from '../../lib/quoted-name.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { AsRead } from './as-read.ts'
import type { Call } from './call.ts'
import { changedSince, replacedTexts } from './changed-since.ts'
import { mayBeCut, refuseCutTexts } from './cut-texts.ts'
import { checksIfMatch, etagOf, representationOf, revOfTag, sameOwn, takesRev } from './etag.ts'
import { presentRev, refuseDifferentGuards } from './expected-rev.ts'

/** The second stage of a write: whether it started from the current state of its record. */
export class Match {
  readonly #asRead: AsRead
  readonly #conflictMinutes: number

  /** @param conflictMinutes minutes during which a text written by another agent is not overwritten unseen over MCP */
  constructor(asRead: AsRead, conflictMinutes: number) {
    this.#asRead = asRead
    this.#conflictMinutes = conflictMinutes
  }

  /**
   * Refuses texts that were truncated when they were read, in a body that writes a record back (crew 1.5).
   * @throws DomainError for a truncated text
   */
  async checkCut(ctx: Context, call: Call): Promise<void> {
    const { operation, input } = call
    if (!takesRev(operation) || !mayBeCut(input.body)) return
    refuseCutTexts(input.body, (await this.#asRead(ctx, call, representationOf(operation)!)) as Record<string, unknown>)
  }

  /**
   * Refuses a call that started from another state of its record than the current one (board 6, crew 2.2).
   * @throws DomainError PRECONDITION_FAILED
   */
  async check(ctx: Context, call: Call): Promise<void> {
    const { operation, expectedRev } = call
    const tags = call.ifMatch?.includes('*') ? undefined : call.ifMatch
    if (expectedRev === undefined && tags === undefined) return this.#checkFresh(ctx, call)
    const representation = checksIfMatch(operation) ? representationOf(operation) : null
    if (representation === null) return
    refuseDifferentGuards(expectedRev, tags)
    const rev = await presentRev(ctx.db, representation, call.input.params)
    if (await this.#isPresent(ctx, call, representation, { rev, tags })) return
    const current = await this.#asRead(ctx, call, representation)
    const etag = etagOf(representation, current, JSON.stringify(current))
    const [tag] = tags ?? []
    const began = { tag, rev: expectedRev ?? (tag === undefined ? undefined : revOfTag(tag)) }
    throw new DomainError(
      'PRECONDITION_FAILED',
      'The record has changed since it was read. Read it again and repeat the change on its current state.',
      {
        etag,
        ...(rev !== undefined && { rev }),
        ...(rev !== undefined && began.rev !== undefined && { expected_rev: began.rev }),
        changed: await changedSince(ctx, call, began, { etag, current }),
      },
    )
  }

  /**
   * Refuses a call over MCP that names no starting state, if it would overwrite a text that another agent has just
   * written (crew 2.3).
   */
  async #checkFresh(ctx: Context, call: Call): Promise<void> {
    const { operation, origin, input } = call
    const minutes = this.#conflictMinutes
    if (origin !== 'mcp' || minutes === 0 || !takesRev(operation) || call.ifMatch !== undefined) return
    const representation = representationOf(operation)!
    const since = new Date(Date.parse(ctx.now()) - minutes * 60_000).toISOString()
    const read = async () => (await this.#asRead(ctx, call, representation)) as Readonly<Record<string, unknown>>
    const changed = await replacedTexts(ctx, call, { since, read })
    if (changed.length === 0) return
    const [{ actor_name }] = changed as [(typeof changed)[0]]
    throw new DomainError(
      'PRECONDITION_FAILED',
      `${actor_name === null ? 'Somebody' : quotedName(actor_name)} wrote this within ${minutes} minutes. Read it, then send expected_rev.`,
      { rev: await presentRev(ctx.db, representation, input.params), changed },
    )
  }

  /** Whether a call started from the current state of its record. */
  async #isPresent(
    ctx: Context,
    call: Call,
    representation: AnyOperation,
    { rev, tags }: { readonly rev: number | undefined; readonly tags: readonly string[] | undefined },
  ): Promise<boolean> {
    const { expectedRev } = call
    if (expectedRev !== undefined && expectedRev !== rev) return false
    if (tags === undefined) return true
    if (rev !== undefined) return tags.some(tag => revOfTag(tag) === rev)
    const own = etagOf(representation, await this.#asRead(ctx, call, representation, 'own'), '')
    return tags.some(tag => sameOwn(tag, own))
  }
}
