/**
 * References: a board's key and the number of a record on it, as in `SPE-14`. Pure text functions; no board is looked
 * up.
 */

/** Used where a name has too few letters. */
const fallbackStem = 'BRD'

/** Maximum number of words of a name whose initials make a key. */
const wordsOfStem = 4

/** The number of characters taken from a name of one word. */
const lettersOfWord = 3

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/^[^A-Za-z]+/, '')
    .match(/[A-Za-z0-9]+/g)
    ?.map(word => word.toUpperCase()) ?? []

/**
 * The stem of a board's key when none is given: the first characters of up to four words of its name, or the first
 * three of a single word. Digits before the first letter do not count (work 1).
 *
 * @example
 * keyStem('Specboard') // 'SPE'
 * keyStem('2nd web shop') // 'NWS'
 */
export function keyStem(name: string): string {
  const words = wordsOf(name)
  const stem =
    words.length === 1
      ? words[0]!.slice(0, lettersOfWord)
      : words
          .slice(0, wordsOfStem)
          .map(word => word[0])
          .join('')
  return stem.length < 2 ? fallbackStem : stem
}

/** The stem if it is free, otherwise with the lowest free number from 2 appended (work 1). */
export function freeKey(stem: string, existing: ReadonlySet<string>, from = 2): string {
  if (!existing.has(stem)) return stem
  let number = from
  while (existing.has(`${stem}${number}`)) number++
  return `${stem}${number}`
}

/** A reference in its two parts, the key in upper case. */
export interface Reference {
  readonly key: string
  readonly number: number
}

const referenceForm = /^([A-Za-z][A-Za-z0-9]{1,9})-([1-9][0-9]{0,14})$/
const keyForm = /^[A-Za-z][A-Za-z0-9]{1,9}$/

/** The parts of a text that has the form of a reference, in any case; undefined for any other text, as for a UUID. */
export function parseReference(text: string): Reference | undefined {
  const [, key, number] = referenceForm.exec(text) ?? []
  return key === undefined ? undefined : { key: key.toUpperCase(), number: Number(number) }
}

/** A part of a record by its reference: the record's reference, a letter and its number there (crew 8.2). */
export interface PartReference extends Reference {
  readonly letter: string
  readonly part: number
}

const partForm = /^([^.]+)\.([a-z])([1-9][0-9]{0,14})$/i

/**
 * The parts of a text that has the form of a part's reference, such as `SPE-14.q2`, in any case; undefined for any
 * other.
 */
export function parsePartReference(text: string): PartReference | undefined {
  const [, record = '', letter = '', part] = partForm.exec(text) ?? []
  const reference = part === undefined ? undefined : parseReference(record)
  return reference === undefined ? undefined : { ...reference, letter: letter.toLowerCase(), part: Number(part) }
}

/** The number in the reference of a part. */
export const partNumberOf = (ref: string): number => Number(ref.slice(ref.lastIndexOf('.') + 2))

/** The key in a text that has the form of one, in any case. */
export const parseKey = (text: string): string | undefined => (keyForm.test(text) ? text.toUpperCase() : undefined)

const addressForm = /^specboard:\/\/(?:boards|ideations|refinements|specs|sprints|cards)\/([^/]+)$/

/** The id or reference in the `specboard://` address of a record; undefined for any other text (crew 9.5). */
export const addressedId = (text: string): string | undefined => addressForm.exec(text)?.[1]

/** The number in a reference. */
export const numberOf = (ref: string): number => Number(ref.slice(ref.lastIndexOf('-') + 1))
