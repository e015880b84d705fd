/**
 * Recognises the headings of a `spec.md`: by their words in English, by the form of the template in other languages
 * (imports 5).
 */

/** What the template and its translations call a specification. */
const titlePrefix = new RegExp(
  `^(?:${[
    ...['feature specification', 'feature spec', 'specification', 'spec', 'feature', '機能仕様書?', '仕様書?'],
    ...[
      '功能规[格范]',
      '功能規[格範]',
      '特性规[格范]',
      '规[格范]说?明?书?',
      '기능 ?(?:명세서?|사양서?)',
      'feature-?spezifikation',
    ],
    ...[
      'funktions?-?spezifikation',
      'spezifikation',
      'especificación(?: de)?(?: la)? (?:funcionalidad|función|característica)',
    ],
    ...['spécifications?(?: de la| de)? (?:fonctionnalité|fonctionnelle)', 'specifica(?: della)? funzionalità'],
    ...['especificação(?: da| de)? (?:funcionalidade|recurso)', 'спецификация(?: функции| функциональности)?'],
  ].join('|')})\\s*[:：]\\s*`,
  'iu',
)

/** The title in a heading of the first level: the text after the word for a specification, otherwise all of it. */
export const titleIn = (heading: string): string => heading.replace(titlePrefix, '').trim()

export interface Story {
  readonly number: string
  readonly title: string
}

const english = /^User Story (?<number>\d{1,4})(?!\d)/i

/** Words, a number, a separator, a title: `ユーザーストーリー 1 - 塗装 (優先度: P1)`. */
const numbered = /^\D+(?<number>\d+)[ \t]*[-–—:：]/

/**
 * The user story that a heading begins; undefined if it begins none.
 * @param hasScenarios whether there are scenarios below it, which identifies a story in another language
 */
export function storyIn(heading: string, hasScenarios: boolean): Story | undefined {
  const englishMatch = english.exec(heading)
  const match = englishMatch ?? numbered.exec(heading)
  if (match === null || match.groups!.number!.length > 4 || (englishMatch === null && match[0] === heading))
    return undefined
  if (englishMatch === null && !hasScenarios && priorityAt(heading) === -1) return undefined
  const title = heading.slice(match[0].length, priorityAt(heading) === -1 ? undefined : priorityAt(heading))
  return { number: match.groups!.number!, title: title.replace(/^\s*[-–—:]/, '').trim() }
}

/** The start of the priority at the end of a heading, such as `(Priority: P1)`; -1 if there is none. */
function priorityAt(heading: string): number {
  const end = heading.trimEnd()
  const open = Math.max(end.lastIndexOf('('), end.lastIndexOf('（'))
  return open !== -1 && /[)）]$/.test(end) && /priority|P\d/i.test(end.slice(open)) ? open : -1
}
