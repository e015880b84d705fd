import { currentPreferences, type Language, languages } from '../preferences.ts'

/** Texts of the same shape, with other words in another language. */
export type Wording<T> = T extends string
  ? string
  : T extends boolean
    ? boolean
    : T extends (...args: infer A) => infer R
      ? (...args: A) => Wording<R>
      : { readonly [K in keyof T]: Wording<T[K]> }

/**
 * The person's preferred languages according to the browser, best first; empty, and so English, in tests without a
 * browser.
 */
const preferred: readonly string[] = typeof document === 'undefined' ? [] : navigator.languages

const isOf = (tag: string, language: Language): boolean =>
  tag.toLowerCase() === language || tag.toLowerCase().startsWith(`${language}-`)

/** The language chosen in this browser, or the first of the browser's languages that the pages have. */
function wanted(): Language {
  const { language } = currentPreferences()
  if (language !== 'browser') return language
  const supported = preferred.flatMap(tag => languages.find(language => isOf(tag, language)) ?? [])
  return supported[0] ?? 'en'
}

const language = wanted()

/** The person's language with its region, if the browser has one; used for dates, numbers and sorting. */
export const locale: string = preferred.find(tag => isOf(tag, language)) ?? language

/** Texts by the names of their pages. */
type Texts = Readonly<Record<string, unknown>>

/** The texts in a language other than English, once they are loaded. */
let others: Texts | undefined

/** The texts of pages that are already loaded, as shown and in English. */
const loaded = new Map<string, object>()
const originals = new WeakMap<object, object>()

/** Replaces texts with those in the person's language, and returns them. */
function translate(name: string, texts: object): unknown {
  const translation = others?.[name]
  if (typeof translation !== 'object' || translation === null) return texts
  originals.set(texts, { ...texts })
  return Object.assign(texts, translation)
}

/**
 * Loads the texts in the person's language before anything is rendered: many are used as soon as the script of a page
 * runs. English ones are part of the pages.
 */
export async function readTexts(
  readers: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>>,
): Promise<void> {
  if (language !== 'en')
    try {
      others = await readers[language]()
      for (const [name, texts] of loaded) translate(name, texts)
    } catch {
      // The pages then appear in English, and report on their own why scripts do not load.
    }
  document.documentElement.lang = others === undefined ? 'en' : language
}

/**
 * The texts of a page: the given English ones, or the same in the person's language. Texts in the first script are
 * translated once the language has loaded; no other script runs before that.
 * @param name the name under which they are exported, in every language
 */
export function inLanguage<const T extends object>(name: string, english: T): Wording<T> {
  loaded.set(name, english)
  // The compiler ensures that other languages have this shape (Messages).
  return translate(name, english) as Wording<T>
}

/** The same texts in English, for files, which do not depend on who saves them. */
export const inEnglish = <T extends object>(texts: T): T => (originals.get(texts) ?? texts) as T
