/** The caller's mapping of words, columns and dates of the source (imports 4). */
import { BugSeverity, CardPriority, CardStatus, CardType, isReservedKey, reservedKeyRefusal } from '@specboard/contract'
import { Unreadable } from '../neutral.ts'
import { plain } from './plain.ts'

/** The fields whose words can be mapped, with the allowed values. */
const values = {
  status: CardStatus.options,
  priority: CardPriority.options,
  type: CardType.options,
  severity: BugSeverity.options,
} as const

export type MappedField = keyof typeof values

type Value<Field extends MappedField> = (typeof values)[Field][number]

const fields = Object.keys(values) as MappedField[]

const parts = [...fields, 'column', 'date'] as const

export class Mapping {
  /** As it was sent: column → field. */
  readonly columns: ReadonlyMap<string, string>
  /** How dates are written, such as `DD/MM/YYYY`; null if unspecified. */
  readonly date: string | null
  readonly #words: ReadonlyMap<MappedField, ReadonlyMap<string, string>>

  /**
   * @param text JSON, or `status.Erledigt=done,column.Titel=title`
   * @throws Unreadable naming what is unknown
   */
  constructor(text: string | undefined) {
    const { column, date, ...words } = text === undefined || text.trim() === '' ? emptied() : sections(text)
    this.columns = column
    this.date = date
    this.#words = new Map(fields.map(field => [field, checked(field, words[field])]))
  }

  /** What a word was mapped to; undefined if it was not. */
  valueOf<Field extends MappedField>(field: Field, word: string): Value<Field> | undefined {
    return this.#words.get(field)?.get(plain(word)) as Value<Field> | undefined
  }

  /** The words that were mapped. */
  words(field: MappedField): readonly string[] {
    return [...(this.#words.get(field)?.keys() ?? [])]
  }
}

type Sections = Record<MappedField | 'column', Map<string, string>> & { date: string | null }

const emptied = (): Sections => ({
  column: new Map(),
  status: new Map(),
  priority: new Map(),
  type: new Map(),
  severity: new Map(),
  date: null,
})

function checked(field: MappedField, words: ReadonlyMap<string, string>): Map<string, string> {
  const allowed: readonly string[] = values[field]
  for (const [word, value] of words)
    if (!allowed.includes(value))
      throw new Unreadable(
        `The mapping gives the ${field} "${word}" the value "${value}". It can be ${allowed.join(', ')}.`,
      )
  return new Map([...words].map(([word, value]) => [plain(word), value]))
}

const sections = (text: string): Sections => (text.trimStart().startsWith('{') ? ofJson(text) : ofLine(text))

function ofJson(text: string): Sections {
  const value = jsonOf(text)
  if (!isObject(value)) throw new Unreadable(`The mapping is not a JSON object. ${form}`)
  // An object without sections contains columns, for compatibility with older mappings.
  const isFlat = Object.values(value).every(inner => typeof inner === 'string') && !isDateAlone(value)
  const found = emptied()
  for (const [name, inner] of Object.entries(isFlat ? { column: value } : value)) {
    if (name === 'date' && typeof inner === 'string') found.date = inner
    else if (isSection(name) && isObject(inner))
      for (const [word, meaning] of Object.entries(inner)) {
        if (typeof meaning !== 'string')
          throw new Unreadable(`The mapping gives "${word}" ${JSON.stringify(meaning)}, not a text. ${form}`)
        put(found[name], word, meaning)
      }
    else throw new Unreadable(`The mapping has "${name.slice(0, 100)}", which is not a part of one. ${form}`)
  }
  return found
}

const isDateAlone = (value: object): boolean =>
  Object.keys(value).length === 1 && 'date' in value && typeof value.date === 'string' && value.date.includes('YY')

/** A comma only separates if a new part begins after it, so that words may contain commas. */
function ofLine(text: string): Sections {
  const pieces: string[] = []
  for (const piece of text.split(',')) {
    if (pieces.length > 0 && !beginsPart(piece)) pieces.push(`${pieces.pop()},${piece}`)
    else pieces.push(piece)
  }
  const found = emptied()
  for (const piece of pieces) {
    const equals = piece.lastIndexOf('=')
    const [name, meaning] = [piece.slice(0, Math.max(equals, 0)).trim(), piece.slice(equals + 1).trim()]
    const dot = name.indexOf('.')
    const [section, word] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)]
    if (name === 'date') found.date = meaning
    else if (isSection(section) && word !== '' && meaning !== '') put(found[section], word, meaning)
    else throw new Unreadable(`The mapping has "${piece.trim().slice(0, 100)}", which is not a part of one. ${form}`)
  }
  return found
}

/** @throws Unreadable for a word that no mapping may have (walls 2) */
function put(section: Map<string, string>, word: string, meaning: string): void {
  if (isReservedKey(word)) throw new Unreadable(`The mapping names "${word}", which ${reservedKeyRefusal}. ${form}`)
  section.set(word, meaning)
}

const beginsPart = (piece: string): boolean =>
  parts.some(part => piece.trimStart().startsWith(part === 'date' ? 'date=' : `${part}.`))

const isSection = (name: string): name is MappedField | 'column' =>
  name === 'column' || (fields as readonly string[]).includes(name)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const form =
  'Write status.Erledigt=done,column.Titel=title or {"status": {"Erledigt": "done"}, "column": {"Titel": "title"}}; ' +
  'the parts are column (of a CSV), status, priority, type, severity, date.'
