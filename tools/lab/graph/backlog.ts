import { type BacklogIssue, blockersOf, readBacklog } from '../data/backlog.ts'
import type { Waiting } from '../data/imported-backlog.ts'

/** How much text of a node is compared; the rest is ignored (knowledge-graph 7.1). */
const comparedContent = 2_000

/** The number of words of a description that distinguish its issue from others. */
const firstWords = 12

/** The share of these words that another issue may have too. */
const shared = 0.8

/** Maximum results of one search. */
const maxAnswers = 50

/**
 * The facts about a backlog, each computed from the lines of its file in the simplest way. The graph's answers are
 * compared with them.
 */
export class Backlog {
  readonly issues: readonly BacklogIssue[]
  readonly #byId: ReadonlyMap<string, BacklogIssue>
  readonly #parents: ReadonlySet<string>
  #waiting: readonly Waiting[]

  constructor(file?: string) {
    this.issues = readBacklog(file)
    this.#byId = new Map(this.issues.map(issue => [issue.id, issue]))
    this.#parents = new Set(this.issues.flatMap(parentOf))
    const ids = new Set(this.work.map(({ id }) => id))
    this.#waiting = this.work.flatMap(issue =>
      [...new Set(blockersOf(issue, ids))].map((blocker): Waiting => [issue.id, blocker]),
    )
  }

  /** Forgets dependencies that a board cannot hold. */
  leaveOut(dependencies: readonly Waiting[]): void {
    const keys = new Set(dependencies.map(pair => pair.join(' ')))
    this.#waiting = this.#waiting.filter(pair => !keys.has(pair.join(' ')))
  }

  issue = (id: string): BacklogIssue => this.#byId.get(id)!

  /** The issues that become cards. */
  get work(): BacklogIssue[] {
    return this.issues.filter(issue => !this.#isSpec(issue))
  }

  /** The issues that become specs: epics with children. */
  get epics(): BacklogIssue[] {
    return this.issues.filter(this.#isSpec)
  }

  #isSpec = ({ id, issue_type }: BacklogIssue): boolean => issue_type === 'epic' && this.#parents.has(id)

  isClosed = (id: string): boolean => this.issue(id).status === 'closed'

  /** The dependencies: which issue waits for which. */
  get waiting(): readonly Waiting[] {
    return this.#waiting
  }

  blockers = (id: string): string[] => this.#waiting.filter(([issue]) => issue === id).map(([, blocker]) => blocker)

  dependents = (id: string): string[] => this.#waiting.filter(([, blocker]) => blocker === id).map(([issue]) => issue)

  /** The work directly below an epic, without that of nested epics. */
  workOf = (epic: string): string[] => this.work.map(({ id }) => id).filter(id => this.epicOf(id) === epic)

  /** The nearest epic that work belongs to; undefined for work without one. */
  epicOf(id: string): string | undefined {
    const visited = new Set<string>()
    for (let [above] = parentOf(this.issue(id)); above !== undefined && !visited.has(above); ) {
      const parent = this.#byId.get(above)
      if (parent === undefined || this.#isSpec(parent)) return parent?.id
      visited.add(above)
      above = parentOf(parent)[0]
    }
    return undefined
  }

  /** The number of chains with a given number of dependencies, counted by walking each of them. */
  chains(length: number): number {
    const walk = (id: string, steps: number): number =>
      steps === 0 ? 1 : this.blockers(id).reduce((sum, blocker) => sum + walk(blocker, steps - 1), 0)
    return this.work.reduce((sum, { id }) => sum + walk(id, length), 0)
  }

  /** Everything that must be done before an issue, within a number of steps. */
  before(id: string, steps: number): string[] {
    const found = new Set<string>()
    let edge = [id]
    for (let step = 0; step < steps && edge.length > 0; step++) {
      edge = [...new Set(edge.flatMap(this.blockers))].filter(blocker => !found.has(blocker))
      for (const blocker of edge) found.add(blocker)
    }
    return [...found]
  }

  /** Everything that is written about an issue. */
  textOf = (id: string): string => `${this.issue(id).title}\n${contentOf(this.issue(id))}\n${this.#linkTexts(id)}`

  /** The links under "Links" name issues by their titles. */
  #linkTexts = (id: string): string =>
    this.issue(id)
      .dependencies.filter(({ type }) => type !== 'parent-child' && type !== 'blocks')
      .map(({ type, depends_on_id }) => `${type}: ${depends_on_id} ${this.#byId.get(depends_on_id)?.title ?? ''}`)
      .join('\n')

  /** The title and first words of each issue that these identify: no other text contains almost all of the words. */
  get openings(): ReadonlyMap<string, string> {
    const opening = ({ title, description }: BacklogIssue) =>
      `${title} ${description.split(/\s+/).slice(0, firstWords).join(' ')}`.trim()
    const texts = this.issues.map(({ id }) => ({ id, words: wordsOf(this.textOf(id)) }))
    const isToldApart = (issue: BacklogIssue) => {
      const words = wordsOf(opening(issue))
      return texts.every(text => text.id === issue.id || words.intersection(text.words).size <= shared * words.size)
    }
    return new Map(this.issues.filter(isToldApart).map(issue => [issue.id, opening(issue)]))
  }

  /**
   * The largest group of work with the same text, among the groups whose text one search can contain and whose issues
   * one search can return.
   */
  get doubles(): { readonly text: string; readonly ids: readonly string[] } {
    const compared = (issue: BacklogIssue) => `${issue.title}\n${contentOf(issue).slice(0, comparedContent)}`
    const groups = [...Map.groupBy(this.work, compared)].filter(([text]) => text.length <= 2_000)
    const [text, issues] = most(
      groups.filter(([, members]) => members.length <= maxAnswers),
      ([, members]) => members.length,
    )
    return { text, ids: issues.map(({ id }) => id) }
  }
}

/** The words of a text, without the shortest ones and without endings. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(word => word.length > 3)
      .map(word => word.replace(/(ies|ing|ed|es|s|y)$/, '')),
  )

const contentOf = ({ description, design, acceptance_criteria, notes }: BacklogIssue): string =>
  [description, design, acceptance_criteria, notes].filter(text => text.trim() !== '').join('\n\n')

/** The issues that an issue names as its parents. */
const parentOf = ({ dependencies }: BacklogIssue): string[] =>
  dependencies.filter(({ type }) => type === 'parent-child').map(({ depends_on_id }) => depends_on_id)

/** The item with the highest figure; the first of several. */
export const most = <Item>(items: readonly Item[], figure: (item: Item) => number): Item =>
  items.reduce((best, item) => (figure(item) > figure(best) ? item : best))
