/** The number of texts suggested in place of one that does not exist. */
const maxOffered = 3

/** The number of characters shown of a suggested text. */
const excerptLength = 200

/**
 * The texts that share the most words with a wrong one, best first, each truncated; texts without a shared word are
 * left out.
 */
export function nearestTexts(wrong: string, texts: readonly string[]): string[] {
  const sought = wordsOf(wrong)
  return texts
    .map(text => ({ text, share: shareOf(sought, wordsOf(text)) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, maxOffered)
    .map(({ text }) => text.slice(0, excerptLength))
}

/** Words long enough to compare; for a text without any, the text itself. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.slice(0, 2_000).toLowerCase().split(' ').filter(Boolean)
  return new Set(words)
}

const shareOf = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  some.intersection(others).size / Math.max(1, some.union(others).size)
