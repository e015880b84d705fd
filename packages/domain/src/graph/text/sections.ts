const heading = /^##\s/

/** The lines under a `## <title>` heading, in any letter case, up to the next `##` heading. */
export function sectionLines(text: string, title: string): string[] {
  const all = text.split(/\r?\n/)
  const sectionHeading = new RegExp(`^##\\s+${title}\\s*$`, 'i')
  const found: string[] = []
  let inside = false
  for (const line of all) {
    if (sectionHeading.test(line)) inside = true
    else if (heading.test(line)) inside = false
    else if (inside) found.push(line)
  }
  return found
}

/** The texts of the bullets (`-` or `*`) under a heading. */
export const bulletsUnder = (text: string, title: string): string[] =>
  sectionLines(text, title)
    .filter(line => /^\s*[-*]\s/.test(line))
    .map(line => line.trim().slice(1).trim())
    .filter(bullet => bullet !== '')

/** The sentences of a text, trimmed; they end at `.`, `!`, `?` or a line break. */
export const sentences = (text: string): string[] =>
  text
    .split(/[.!?\n\r]+/)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')

const alternative = /\b(?:alternatives?|considered|instead of|rejected|discarded|not chosen)\b/i
const assumption = /\b(?:assuming|we assume|assumed that)\b/i

/** Whether a sentence describes something that was considered and not chosen. */
export const describesAlternative = (sentence: string): boolean => alternative.test(sentence)

/** Whether a sentence states an assumption. */
export const statesAssumption = (sentence: string): boolean => assumption.test(sentence)
