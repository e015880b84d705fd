import { type Language, languages, looksNow } from '../looks.ts'

/** Any texts of the same shape: another language says the same in other words. */
export type Wording<T> = T extends string
  ? string
  : T extends boolean
    ? boolean
    : T extends (...args: infer A) => infer R
      ? (...args: A) => Wording<R>
      : { readonly [K in keyof T]: Wording<T[K]> }

/** What the browser of the person prefers, best first; tests without a browser read English. */
const preferred: readonly string[] = typeof document === 'undefined' ? [] : navigator.languages

const isOf = (tag: string, language: Language): boolean =>
  tag.toLowerCase() === language || tag.toLowerCase().startsWith(`${language}-`)

/** The language that was chosen in this browser, or the first of the browser's that the pages have. */
function wanted(): Language {
  const { language } = looksNow()
  if (language !== 'browser') return language
  const known = preferred.flatMap(tag => languages.find(language => isOf(tag, language)) ?? [])
  return known[0] ?? 'en'
}

const language = wanted()

/** The language of the person with its region, where the browser has one: what dates, numbers and orders follow. */
export const locale: string = preferred.find(tag => isOf(tag, language)) ?? language

/** Texts by the names of their pages. */
type Texts = Readonly<Record<string, unknown>>

/** The texts in another language than English, once they are read. */
let others: Texts | undefined

/** The texts of pages that are read already, as they are shown and as they are in English. */
const shown = new Map<string, object>()
const originals = new WeakMap<object, object>()

/** Puts texts into the language of the person, and gives them back. */
function put(name: string, texts: object): unknown {
  const said = others?.[name]
  if (typeof said !== 'object' || said === null) return texts
  originals.set(texts, { ...texts })
  return Object.assign(texts, said)
}

/**
 * Reads the texts in the language of the person, before anything is drawn: many are used as soon as the script of a page
 * is read. English ones come with the pages.
 */
export async function readTexts(
  readers: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>>,
): Promise<void> {
  if (language !== 'en')
    try {
      others = await readers[language]()
      for (const [name, texts] of shown) put(name, texts)
    } catch {
      // Then the pages are read in English, and say themselves why scripts do not come.
    }
  document.documentElement.lang = others === undefined ? 'en' : language
}

/**
 * The texts of a page: those that are given, in English, or the same in the language of the person. What comes with the
 * first script is put into that language when its texts are read; no other script is read before that.
 * @param name by which they are exported, in every language
 */
export function inLanguage<const T extends object>(name: string, english: T): Wording<T> {
  shown.set(name, english)
  // Other languages are held to this shape by the compiler (Messages).
  return put(name, english) as Wording<T>
}

/** The same texts in English, for files: they say the same whoever saves them. */
export const inEnglish = <T extends object>(texts: T): T => (originals.get(texts) ?? texts) as T
