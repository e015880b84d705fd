import type { Collection } from '../collected.ts'
import { textOf, withHeading } from '../markdown.ts'
import type { SourcePlace } from '../neutral.ts'
import { joined, spec } from '../records.ts'
import { type Document, headed } from './document.ts'

/** The specs of milestones: those with a file, and those named by tasks. */
export class Milestones {
  readonly #collected: Collection
  readonly #specs = new Map<string, string>()

  constructor(collected: Collection) {
    this.#collected = collected
  }

  /** A file of `milestones/`. */
  read({ id, place, fields, sections }: Document, archived: boolean): void {
    const title = fields.text('title') ?? id
    const record = spec({
      id: this.#collected.freeId(`milestone:${id}`, { place, kind: 'spec' }),
      place,
      title,
      status: 'in_progress',
      archived,
      description: joined(
        sections.map(section => (headed(section, 'description') ? textOf(section) : withHeading(section))),
      ),
      created_at: this.#collected.moment(fields, 'created_date'),
      updated_at: this.#collected.moment(fields, 'updated_date'),
    })
    this.#collected.add(record)
    this.#collected.keepAll(record, fields.rest())
    for (const name of [id, title])
      if (!this.#specs.has(name.toLowerCase())) this.#specs.set(name.toLowerCase(), record.id)
  }

  /** The spec of the milestone that a task names, by its id or title. */
  specFor(reference: string, place: SourcePlace): string {
    const name = reference.trim()
    const existing = this.#specs.get(name.toLowerCase())
    if (existing !== undefined) return existing
    const record = spec({
      id: this.#collected.freeId(`milestone:${name}`, { place, kind: 'spec' }),
      place,
      title: name,
      status: 'in_progress',
    })
    this.#collected.add(record)
    this.#collected.note({ place, kind: 'spec', id: record.id }, `The milestone ${name} has no file.`)
    this.#specs.set(name.toLowerCase(), record.id)
    return record.id
  }
}
