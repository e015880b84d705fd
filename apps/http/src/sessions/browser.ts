/** Browsers by the word that identifies them in a user agent; those that imitate others come first. */
const browsers: readonly (readonly [word: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly (readonly [word: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]

/** Maximum number of characters of a user agent that are stored. */
const maxCharacters = 80

const nameIn = (userAgent: string, names: typeof browsers): string | undefined =>
  names.find(([word]) => userAgent.includes(word))?.[1]

/**
 * The browser shown for a session: its name and system if they are known, otherwise the beginning of the user agent.
 */
export function browserOf(userAgent: string): string {
  const [browser, system] = [nameIn(userAgent, browsers), nameIn(userAgent, systems)]
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  return userAgent.replaceAll(/\p{C}/gu, '').slice(0, maxCharacters)
}
