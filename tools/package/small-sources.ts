/**
 * Makes sources smaller in memory. A process keeps the source of each loaded file for lazily compiled functions: with
 * two bytes per character if any of them is outside Latin-1, otherwise with one.
 */
import type { Plugin } from 'rolldown'

const locales = '\0zod-locales'

/** Leaves out zod's messages in 60 languages, which its namespace refers to: the service answers in English. */
export const oneLocale: Plugin = {
  name: 'specboard-one-locale',
  resolveId: (id, importer) => (id === '../locales/index.js' && importer?.includes('/zod/') ? locales : undefined),
  load: id => (id === locales ? `export { default as en } from 'zod/v4/locales/en.js'` : undefined),
}

/** Escapes non-ASCII characters, which has the same meaning in strings, regular expressions and names. */
export const asciiSources: Plugin = {
  name: 'specboard-ascii-sources',
  generateBundle: (_, bundle) => {
    for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = escaped(part.code)
  },
}

/** @throws Error for a raw template, where an escape would not mean the character */
function escaped(code: string): string {
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code)) throw new Error('A raw template holds more than ASCII.')
  return code.replaceAll(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
