import type { Heading, MarkdownPage } from './markdown-page.ts'

/** The pages of the contract by name. */
export type Pages = ReadonlyMap<string, MarkdownPage>

/** A section number: `4.2`, `A.3`, `12`, `B`. */
const number = String.raw`(?:\d+(?:\.\d+)?|[A-Z](?:\.\d+)?)`

const numberAlone = new RegExp(`^${number}$`)
const range = new RegExp(`^(${number})-(${number})$`)
const item = /^(?:rule|step) (\d+)$/

/** The expressions that find citations of some pages, made once: a run looks at twenty thousand comments. */
const finders = new WeakMap<Pages, ReturnType<typeof finderOf>>()

function finderOf(pages: Pages) {
  const name = [...pages.keys()].sort((one, other) => other.length - one.length).join('|')
  return {
    inParentheses: new RegExp(
      String.raw`\(((?:(?:${name})(?![\w-])|[a-z][a-z-]* §?${number}(?=[,:)-]))[^()]*)\)?`,
      'g',
    ),
    inProse: new RegExp(String.raw`(?<![\w./\`-])(?:${name}) (?:section |§)?${number}(?![\w])`, 'g'),
  }
}

/**
 * The citations in a comment, without parentheses and without the remark after a colon:
 * - every parenthesis that begins with the name of a page, or that looks like a citation (a lower-case word and a
 *   number), whether or not such a page exists;
 * - every section that the prose cites by page and number.
 */
export function citationsIn(comment: string, pages: Pages): string[] {
  const finder = finders.get(pages) ?? finderOf(pages)
  finders.set(pages, finder)
  const { inParentheses, inProse } = finder
  const prose = comment.replaceAll(inParentheses, '')
  return [
    ...[...comment.matchAll(inParentheses)].map(match => match[1]!.split(':', 1)[0]!),
    ...[...prose.matchAll(inProse)].map(match => match[0]),
  ]
}

/**
 * Follows a citation such as `cards 4.2, 4.5, access 6` to its headings.
 * @returns one line for each part that leads nowhere
 */
export function followCitation(citation: string, pages: Pages): string[] {
  const faults: string[] = []
  let page: readonly [string, MarkdownPage] | undefined
  let heading: Heading | undefined
  for (const part of citation.split(', ')) {
    const name = part.split(' ', 1)[0]!
    const named = pages.get(name)
    if (named !== undefined) page = [name, named]
    const fault =
      page === undefined
        ? `${name} is not a page`
        : follow(page, named === undefined ? part : part.slice(name.length + 1))
    if (fault !== undefined) faults.push(fault)
  }
  return faults

  /** Follows one part on its page; a page without a section leads to itself. */
  function follow([name, { headings }]: readonly [string, MarkdownPage], place: string): string | undefined {
    const listItem = item.exec(place)
    if (listItem !== null) {
      if (heading !== undefined && Number(listItem[1]) <= heading.items) return undefined
      return `${name} ${heading?.number ?? ''} has no ${place}`
    }
    heading = undefined
    if (place === '') return undefined
    const ends = range.exec(place)?.slice(1) ?? (numberAlone.test(place) ? [place] : [])
    if (ends.length === 0) {
      heading = headings.find(({ number, title }) => number === null && title === place)
      return heading === undefined ? `"${place}" is neither a section number nor a heading of ${name}` : undefined
    }
    for (const end of ends) {
      heading = headings.find(candidate => candidate.number === end)
      if (heading === undefined) return `${name} has no section ${end}`
    }
    return undefined
  }
}
