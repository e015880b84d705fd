/** Texts that are offered in place of one that is not there. */
const mostOffered = 3

/** Characters of a text that is offered. */
const shown = 200

/** The texts that share most of their words with a wrong one, best first, each cut; none shares none. */
export function nearestTexts(wrong: string, texts: readonly string[]): string[] {
  const sought = wordsOf(wrong)
  return texts
    .map(text => ({ text, share: shareOf(sought, wordsOf(text)) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, mostOffered)
    .map(({ text }) => text.slice(0, shown))
}

/** Words long enough to compare; of a text without any, itself. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.slice(0, 2_000).toLowerCase().split(' ').filter(Boolean)
  return new Set(words)
}

const shareOf = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  some.intersection(others).size / Math.max(1, some.union(others).size)
