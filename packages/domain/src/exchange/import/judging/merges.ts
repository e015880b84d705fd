import { toJson } from '../../../lib/json.ts'
import type { Change, ImportWrite } from '../../../schema/contents.ts'
import { toRecord } from '../../kinds/forms.ts'
import { kindOf } from '../../kinds/kinds.ts'
import { designRevision, withPartsOf } from '../designs.ts'
import { followUps } from '../follow-ups.ts'
import type { EarlierImport } from '../known.ts'
import { digestsOf, isAsImported, merge, sameStored } from '../merge.ts'
import { refusedFields } from '../refused-fields.ts'
import { type Row, rowOf } from '../rows.ts'
import type { SourceRecord } from '../source.ts'
import { importedEntry, revision } from '../write.ts'
import { changing, externalIdOf, isGiven, ownerOf, versionDigest } from './facts.ts'
import type { JudgedRecord, JudgingParts } from './judging.ts'
import type { BatchLookup } from './lookup.ts'
import type { Parents } from './parents.ts'

/** Columns that a board has of its own: whether a guideline is global, and whose CI tokens count for a repository. */
const boardsOwn: ReadonlySet<string> = new Set(['guideline scope', 'repository ci'])

/** Merges what a file says into records that the board has. */
export class Merges {
  readonly #judging: JudgingParts
  readonly #parents: Parents

  constructor(judging: JudgingParts, parents: Parents) {
    this.#judging = judging
    this.#parents = parents
  }

  /**
   * A record that exists here: what the file changed since the last import is changed, unless it was changed here or
   * the caller may not change it.
   */
  async merge(
    original: SourceRecord,
    before: Row,
    lastImport: EarlierImport | undefined,
    found: BatchLookup,
  ): Promise<JudgedRecord | undefined> {
    const { naming, comparing, tally, source, caller } = this.#judging
    const { type, id } = original
    const record = type === 'architecture' ? this.#withPartsOf(original, before, found) : original
    const here = String(before.id)
    naming.ids.set(type, id, here)
    if (!changing.has(type)) {
      tally.count(type, 'unchanged')
      return undefined
    }
    const row = rowOf(record, comparing)
    const kind = kindOf.get(type)!
    const { changed, keptColumns } = merge(kind, { row, before, last: lastImport?.imported }, name =>
      this.#isCompared(record, name),
    )
    this.#renameAuthors(record, before, changed)
    const isNameTaken = type === 'saved_search' && 'name' in changed && found.repeated.has(String(changed.name))
    if (isNameTaken) delete changed.name
    const stays = isNameTaken ? [...keptColumns, 'name'] : keptColumns
    if (stays.length > 0) tally.problem(record, 'changed', `Stays as it is here: ${stays.join(', ')}`)
    const changes = await this.#permitted(record, before, changed)
    tally.count(type, changes.length > 0 ? 'updated' : 'unchanged')
    if (changes.length === 0) return undefined
    return {
      record,
      here,
      row: { ...before, ...changed },
      before,
      writes: () => [
        ...this.#changes(record, before, changed, { changes, last: lastImport?.imported ?? {}, at: row.updated_at }),
        importedEntry(record, here, ownerOf(type, before, here), { source: source.format, by: caller, changes }),
      ],
    }
  }

  /**
   * Sets the authors that the file may name on changed columns; a record in which nothing else differs is unchanged.
   */
  #renameAuthors(record: SourceRecord, before: Row, changed: Row): void {
    const { columns } = kindOf.get(record.type)!
    const names = Object.keys(changed)
    if (names.length === 0) return
    const named = rowOf(record, this.#judging.naming)
    for (const name of names) {
      if (sameStored(columns[name]!, named[name], before[name])) delete changed[name]
      else changed[name] = named[name]
    }
  }

  /**
   * The fields of a record that the caller may change, each with its old and new value; the rest is left out, and
   * reported.
   */
  async #permitted(record: SourceRecord, before: Row, changed: Row): Promise<Change[]> {
    const { target, tally, read } = this.#judging
    const { type } = record
    const { columns, together = [] } = kindOf.get(type)!
    const changes = Object.keys(changed).map(field => ({
      field,
      old: toRecord(columns[field]!, before[field] ?? null),
      new: toRecord(columns[field]!, changed[field] ?? null),
    }))
    if (changes.length === 0) return changes
    const refusals = await read(ctx => refusedFields(ctx, { boardId: target.boardId, type, before, changes }))
    for (const [name, reason] of refusals) {
      tally.problem(record, 'changed', `Stays as it is here: ${name} (${reason})`)
      for (const field of together.find(names => names.includes(name)) ?? [name]) delete changed[field]
    }
    return changes.filter(({ field }) => Object.hasOwn(changed, field))
  }

  /** Whether the file may change a column. */
  #isCompared(record: SourceRecord, name: string): boolean {
    if (!isGiven(record, name) || boardsOwn.has(`${record.type} ${name}`)) return false
    // A parent that was deleted here counts as absent from the file too.
    const lost = this.#parents.lost(kindOf.get(record.type)!.columns[name]!, record.fields[name])
    return lost === undefined
  }

  /** The writes for changed columns of a record. */
  #changes(
    record: SourceRecord,
    before: Row,
    changed: Row,
    {
      changes,
      last,
      at,
    }: { readonly changes: readonly Change[]; readonly last: EarlierImport['imported']; readonly at: unknown },
  ): ImportWrite[] {
    const { source, naming, newId, now } = this.#judging
    const kind = kindOf.get(record.type)!
    const digests = digestsOf(kind, changed, name => Object.hasOwn(changed, name))
    const digestsWrite = (imported: EarlierImport['imported']): ImportWrite => ({
      kind: 'known',
      source: source.format,
      externalId: externalIdOf(source, record.type, record.id),
      imported: toJson({ ...last, ...imported }),
    })
    const values = { ...changed, ...followUps(record.type, before, changes), updated_at: at ?? now }
    if (record.type !== 'architecture') return [revision(record, before, values), digestsWrite(digests)]
    const asImported = isAsImported(kind, before, last) && last.version === versionDigest(before)
    const design = designRevision(record, before, values, { naming, isAsImported: asImported, newId })
    return [design, digestsWrite(asImported ? { ...digests, version: versionDigest(design.row) } : digests)]
  }

  #withPartsOf(record: SourceRecord, before: Row, { parts }: BatchLookup): SourceRecord {
    const { keeps, newId } = this.#judging
    return withPartsOf(record, before, ({ id }) => (keeps && !parts.has(String(id)) ? String(id) : newId()))
  }
}
