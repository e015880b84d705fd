import { attachmentPath } from '../../delivery/attachments/files/attachment-path.ts'
import { PresentFile } from '../../delivery/attachments/files/files.ts'
import { hashOf } from '../../delivery/attachments/removal.ts'
import type { ImportWrite } from '../../schema/contents.ts'
import { files } from '../archive/layout.ts'
import { event } from '../kinds/kinds.ts'
import { Authors } from './authors.ts'
import { Waits } from './circles.ts'
import { reportGone } from './gone.ts'
import { Ids } from './ids.ts'
import type { ImportJob } from './importing.ts'
import { Judge } from './judging/judge.ts'
import type { JudgedRecord, JudgingParts } from './judging/judging.ts'
import { maxLines } from './lines.ts'
import { LinkEnds, type Repair } from './link-ends.ts'
import { isRead, type Unread } from './queue.ts'
import { RecordsOfImport } from './records-of-import.ts'
import { refused } from './refused.ts'
import { type RowContext, rowFrom } from './rows.ts'
import type { SourceFile, SourceRecord } from './source.ts'
import { Pieces } from './staged.ts'
import { Tally } from './tally.ts'
import { Turns } from './turns.ts'
import { eventEntry, inserted, together } from './write.ts'
import { altered, verified } from './zip.ts'

/** The findings of checking a file that makes a board. */
export interface FileFindings {
  /** The total size of its attachments, bytes. */
  readonly fileBytes: number
  /** The highest record number in the file. */
  readonly lastNumber: number
  /** The board in the file. */
  readonly board: SourceRecord | undefined
}

/** The findings of checking the records of a file and passing them on. */
export interface RecordFindings {
  /** What the graph has to read. */
  readonly unread: Unread[]
  readonly touched: RecordsOfImport
  /** The highest record number in the file. */
  readonly lastNumber: number
}

/** Reads the file of an import: judges its records, stores its attachments and passes the writes on. */
export class ImportReading {
  readonly #import: ImportJob
  readonly #turns = new Turns()
  /** The paths of stored attachments, until their records exist. */
  readonly #stored: string[] = []

  constructor(importing: ImportJob) {
    this.#import = importing
  }

  /** Reads what is needed from the board and the service to judge the file. */
  async judging(tally: Tally, { again, ids }: { readonly again: boolean; readonly ids: Ids }): Promise<JudgingParts> {
    const { environment } = this.#import.steps
    const { boardId, isNew } = this.#import.target
    const here = await this.#import.steps.read(async ({ db }) => ({
      agents: await db.selectFrom('agents').select('id').execute(),
      authors: await db.selectFrom('external_authors').selectAll().where('board_id', '=', boardId).execute(),
      links: isNew
        ? []
        : await db
            .selectFrom('card_dependencies')
            .select(['card_id', 'depends_on_id'])
            .where('board_id', '=', boardId)
            .execute(),
    }))
    const waits = new Waits()
    for (const { card_id, depends_on_id } of here.links) waits.add(card_id, depends_on_id)
    const agents = new Set(here.agents.map(({ id }) => id))
    const { caller, restores } = this.#import.entered
    const localAgents = this.#import.keeps && restores ? agents : new Set(this.#namesAgents ? [caller.id] : [])
    const authors = new Authors(localAgents, this.#import.source.agents, here.authors)
    return {
      source: this.#import.source,
      target: this.#import.target,
      naming: { ids, authors },
      comparing: { ids, authors: this.#import.keeps ? authors.with(agents) : authors },
      authors,
      tally,
      keeps: this.#import.keeps,
      again,
      newId: environment.newId,
      now: this.#import.entered.now,
      read: run => this.#import.steps.read(run),
      waits,
      caller,
    }
  }

  /**
   * Checks everything without writing. The bytes of files are compared when they are stored, or here if they will not
   * be.
   */
  async checked(judging: JudgingParts): Promise<FileFindings> {
    const judge = new Judge(judging)
    const links = new LinkEnds()
    let fileBytes = 0
    for await (const judged of this.#eachOf(judge)) {
      const { record } = judged
      if (!this.#import.target.isNew) links.add(judged)
      if (record.type !== 'attachment') continue
      const file = this.#fileOf(record)
      fileBytes += file.size
      if (this.#import.query.dry_run) await compared(record, file)
    }
    for await (const _ of this.#repairs(judging, links));
    await reportGone(judging)
    if (this.#import.hasEvents) await this.#eachEvent(judge, async () => {})
    judge.refuseTaken()
    return { fileBytes, lastNumber: judge.lastNumber, board: judge.board }
  }

  /** Stores the files, and passes the writes on in pieces. */
  async pass(judging: JudgingParts, write: (writes: readonly ImportWrite[]) => Promise<void>): Promise<RecordFindings> {
    const unread: Unread[] = []
    const touched = new RecordsOfImport()
    const links = new LinkEnds()
    const pieces = new Pieces(write, this.#import.isShared)
    const judge = new Judge(judging)
    for await (const judged of this.#eachOf(judge)) {
      await this.#storeFile(judged)
      if (!this.#import.target.isNew) touched.add(judged)
      if (!this.#import.target.isNew) links.add(judged)
      if (isRead(judged.record.type)) unread.push({ type: judged.record.type, id: judged.here })
      await pieces.add(together(judged.writes()))
    }
    for await (const repair of this.#repairs(judging, links)) {
      touched.addRepair(repair)
      await pieces.add([{ kind: 'update', table: `${repair.type}s`, id: repair.id, row: repair.row }])
    }
    await reportGone(judging)
    if (this.#import.hasEvents)
      await this.#eachEvent(judge, entry => pieces.add([this.#eventWrite(entry, judging.naming)]))
    judge.refuseTaken()
    await pieces.add(this.#authors(judging.authors))
    await pieces.end()
    return { unread, touched, lastNumber: judge.lastNumber }
  }

  /** Reports links that came with one end only, and yields the writes that make both ends agree. */
  async *#repairs({ read, naming, tally }: JudgingParts, links: LinkEnds): AsyncGenerator<Repair> {
    for await (const repair of links.repairs(read, naming.ids.hasLeft)) {
      const { type, id, row } = repair
      const reason = `Links missing at one end or leading to nothing here are left out: ${Object.keys(row).join(', ')}`
      tally.problem({ type, id, fields: {}, place: { entry: null, line: null } }, 'changed', reason)
      yield repair
    }
  }

  /** The ids of a file that gets new ones, found by reading it once: records refer to others that come after them. */
  async assigned(): Promise<Ids> {
    const ids = this.noIds()
    if (this.#import.keeps) return ids
    const judging = await this.judging(new Tally(), { again: false, ids })
    for await (const _ of this.#eachOf(new Judge(judging)));
    return ids
  }

  /** An empty set of ids with enough room for the file's records. */
  noIds(assigned?: Ids): Ids {
    return new Ids(Math.min(this.#import.source.total, 2 * maxLines), assigned)
  }

  /** Whether the file can refer to an agent of this service by its id. */
  get #namesAgents(): boolean {
    return this.#import.keeps || this.#import.source.format !== 'specboard'
  }

  async *#eachOf(judge: Judge): AsyncGenerator<JudgedRecord> {
    for await (const judged of judge.judged()) {
      this.#import.progress.step()
      yield judged
      await this.#turns.between()
    }
  }

  /** Passes on the log entries that do not exist here. */
  async #eachEvent(judge: Judge, each: (entry: SourceRecord) => Promise<void>): Promise<void> {
    for await (const { entry, isNew } of judge.entries()) {
      this.#import.progress.step()
      if (isNew) await each(entry)
      await this.#turns.between()
    }
  }

  #eventWrite(entry: SourceRecord, naming: RowContext): ImportWrite {
    const inHistory = naming.ids.of('history', entry.id)
    const id = inHistory ?? (this.#import.keeps ? entry.id : this.#import.steps.environment.newId())
    return eventEntry({ ...rowFrom(event, entry, naming), id }, inHistory !== undefined)
  }

  /** The authors in the file whom the board did not know. */
  #authors({ added }: Authors): ImportWrite[] {
    return added.map(author => inserted('external_authors', { ...author, board_id: this.#import.target.boardId }))
  }

  /** The file of an attachment, if it has the size in its record. */
  #fileOf({ id, fields, place }: SourceRecord): SourceFile {
    const file = this.#import.source.attachment(String(fields.sha256))
    if (file === undefined) throw refused(`The file of the attachment ${id} is missing`, place)
    if (file.size !== fields.size) throw refused(`The file of the attachment ${id} has another size`, place)
    return file
  }

  /** Stores the file of an attachment before its row is written; if the row fails, the file is removed. */
  async #storeFile({ record, row }: JudgedRecord): Promise<void> {
    if (record.type !== 'attachment') return
    const path = attachmentPath(this.#import.target.boardId, String(row.filename))
    const { size, bytes } = this.#fileOf(record)
    try {
      const { sha256 } = await this.#import.steps.environment.files.put(path, bytes(), size)
      this.#stored.push(path)
      if (sha256 !== row.sha256) throw altered(files.attachment(String(row.sha256)))
    } catch (error) {
      if (!(error instanceof PresentFile)) throw error
      // The file is already there, left by a deleted board or by another service that uses the same storage.
      if ((await hashOf(this.#import.steps.environment.files, path)) === row.sha256) return
      throw refused(`The file of the attachment ${record.id} cannot be stored: ${error.message}`, record.place)
    }
  }

  /** Call once the stored files belong to records: from then on they are not removed. */
  keepFiles(): void {
    this.#stored.length = 0
  }

  /** Removes the files that were stored for records that were never written. */
  async removeFiles(): Promise<void> {
    for (const path of this.#stored.splice(0)) await this.#import.steps.environment.files.remove(path)
  }
}

/** Compares the bytes of an attachment with the hash in its record. */
async function compared({ fields }: SourceRecord, { size, bytes }: SourceFile): Promise<void> {
  const sha256 = String(fields.sha256)
  for await (const _ of verified(bytes(), { name: files.attachment(sha256), size, sha256 }));
}
