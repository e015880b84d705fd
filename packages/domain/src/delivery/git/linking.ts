/** Links between changes and records, recognised and made by hand (git 4). */
import type { Context } from '../../kernel/context.ts'
import type { ChangeLinksTable, ChangesTable, RepositoriesTable } from '../../schema/tables.ts'
import type { Occurrence } from './occurrences.ts'
import { isOfBoard } from './own-part.ts'
import { type Mention, maxLinks } from './recognition.ts'
import { allLinksOf, contentOf, keysOf, type NumberedRecord, putLink, recordsByNumber, removeLink } from './store.ts'

type Entity = Pick<ChangeLinksTable, 'entity_type' | 'entity_id'>

/** Appends an entry about a change to the log of a record (git 9). */
export const recordOnEntity = (
  ctx: Context,
  { entity_type, entity_id }: Entity,
  board: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  ctx.record({
    boardId: board,
    entity: { type: entity_type, id: entity_id },
    activity: { action, details },
    ...(entity_type === 'card' && { cardId: entity_id }),
  })

const named = ({ kind, key }: ChangesTable) =>
  kind === 'pull_request' ? { number: Number(key) } : kind === 'commit' ? { sha: key } : { branch: key }

/** The details of an entry about a link of a change. */
const detailsOf = (change: ChangesTable, how: ChangeLinksTable['how']) => ({
  change_id: change.id,
  kind: change.kind,
  title: change.title,
  ...named(change),
  how,
})

/** Links a change to a record. */
export async function addLink(
  ctx: Context,
  change: ChangesTable,
  { entity_type, entity_id }: Entity,
  how: ChangeLinksTable['how'],
): Promise<void> {
  await putLink(ctx.db, {
    change_id: change.id,
    board_id: change.board_id,
    entity_type,
    entity_id,
    how,
    is_undone: 0,
    linked_by: ctx.caller.id,
    linked_at: ctx.now(),
  })
  await recordOnEntity(ctx, { entity_type, entity_id }, change.board_id, 'change_linked', detailsOf(change, how))
}

/**
 * Unlinks a change from a record: a link made by hand is deleted, a recognised one stays undone when the change is seen
 * again.
 */
export async function endLink(ctx: Context, change: ChangesTable, link: ChangeLinksTable): Promise<void> {
  if (link.how === 'manual') await removeLink(ctx.db, change, link.entity_id, ctx.now())
  else await putLink(ctx.db, { ...link, is_undone: 1 })
  await recordOnEntity(ctx, link, change.board_id, 'change_unlinked', detailsOf(change, link.how))
}

/** Removes a recognised link, because the text of the change no longer names the record. */
async function dropLink(ctx: Context, change: ChangesTable, link: ChangeLinksTable): Promise<void> {
  await removeLink(ctx.db, change, link.entity_id, ctx.now())
  await recordOnEntity(ctx, link, change.board_id, 'change_unlinked', detailsOf(change, link.how))
}

/** A repository, or the part of it that belongs to a board. */
type OwnPart = Pick<RepositoriesTable, 'board_id' | 'path_prefix'>

/** Links changes to the records of their board that their texts name. */
export class Linker {
  readonly #ctx: Context
  readonly #board: string
  readonly #prefix: string | null
  readonly #keys: ReadonlySet<string>
  /** The links that it created. */
  readonly created: { readonly change: ChangesTable; readonly entity: Entity }[] = []

  private constructor(ctx: Context, { board_id, path_prefix }: OwnPart, keys: ReadonlySet<string>) {
    this.#ctx = ctx
    this.#board = board_id
    this.#prefix = path_prefix
    this.#keys = keys
  }

  static async of(ctx: Context, repository: OwnPart): Promise<Linker> {
    return new Linker(ctx, repository, await keysOf(ctx.db, repository.board_id))
  }

  /**
   * Links a change to the records that it names.
   * @returns how many named records exceed the limit
   */
  async link(change: ChangesTable, mentions: readonly Mention[]): Promise<number> {
    const own = mentions.filter(({ key }) => this.#keys.has(key))
    if (own.length === 0) return 0
    const records = await recordsByNumber(this.#ctx.db, this.#board, [...new Set(own.map(({ number }) => number))])
    const found = own.flatMap(({ number, how }) =>
      records.filter(record => record.number === number).map(record => ({ record, how })),
    )
    const first = new Map<string, { record: NumberedRecord; how: Mention['how'] }>()
    for (const each of found) if (!first.has(each.record.id)) first.set(each.record.id, each)
    const accepted = [...first.values()].slice(0, maxLinks)
    await this.#add(
      change,
      accepted.map(({ record, how }) => ({ entity_type: record.type, entity_id: record.id, how })),
    )
    return first.size - accepted.length
  }

  /**
   * Links a change to the records that its text names now, and removes links to those that its text named before (git
   * 4).
   * @returns how many named records exceed the limit, and the records that are no longer named
   */
  async relink(
    change: ChangesTable,
    mentions: readonly Mention[],
    places: readonly Mention['how'][],
  ): Promise<{ readonly excess: number; readonly dropped: readonly string[] }> {
    const excess = await this.link(change, mentions)
    const named = new Set(await this.#recordsOf(mentions))
    const obsolete = (await allLinksOf(this.#ctx.db, change)).filter(
      ({ how, is_undone, entity_id }) => places.includes(how) && is_undone === 0 && !named.has(entity_id),
    )
    for (const link of obsolete) await dropLink(this.#ctx, change, link)
    return { excess, dropped: obsolete.map(({ entity_id }) => entity_id) }
  }

  /** Removes links that a change inherited from another one. */
  async disinherit(change: ChangesTable, records: readonly string[]): Promise<void> {
    for (const link of await allLinksOf(this.#ctx.db, change))
      if (link.how === 'inherited' && link.is_undone === 0 && records.includes(link.entity_id))
        await dropLink(this.#ctx, change, link)
  }

  async #recordsOf(mentions: readonly Mention[]): Promise<string[]> {
    const own = mentions.filter(({ key }) => this.#keys.has(key))
    const records = await recordsByNumber(this.#ctx.db, this.#board, [...new Set(own.map(({ number }) => number))])
    return records.map(({ id }) => id)
  }

  /** Gives a change the links of another one, except to a commit of another part of its repository (git 1). */
  async inherit(change: ChangesTable, from: ChangesTable): Promise<void> {
    if (change.kind === 'commit' && !isOfBoard(this.#prefix, contentOf(change).paths)) return
    const links = (await allLinksOf(this.#ctx.db, from)).filter(({ is_undone }) => is_undone === 0)
    await this.#add(
      change,
      links.map(({ entity_type, entity_id }) => ({ entity_type, entity_id, how: 'inherited' as const })),
    )
  }

  /** The occurrences caused by the links that it created. */
  occurrences(): Occurrence[] {
    return this.created.flatMap(({ change, entity: { entity_type, entity_id } }) =>
      entity_type === 'card' && change.kind !== 'pull_request'
        ? [{ what: 'linked' as const, change, card: entity_id }]
        : [],
    )
  }

  async #add(change: ChangesTable, links: readonly (Entity & { readonly how: Mention['how'] })[]): Promise<void> {
    if (links.length === 0) return
    const present = new Set((await allLinksOf(this.#ctx.db, change)).map(({ entity_id }) => entity_id))
    for (const { how, ...entity } of links) {
      if (present.has(entity.entity_id)) continue
      await addLink(this.#ctx, change, entity, how)
      this.created.push({ change, entity })
    }
  }
}
