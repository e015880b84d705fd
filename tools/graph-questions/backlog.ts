import { type BacklogIssue, childrenOf, readBacklog } from '../backlog.ts'
import { type Waiting, waitingOf } from '../load/load.ts'

/** How much text of a node is compared; the rest is ignored (knowledge-graph 7.1). */
const comparedContent = 2_000

/** The number of words of a description that distinguish its issue from others. */
const firstWords = 12

/** The share of these words that another issue may have too. */
const shared = 0.8

/** Maximum results of one search. */
const mostAnswers = 50

/**
 * The facts about a backlog, each computed from the lines of its file in the plainest way. The graph's answers are
 * compared with them.
 */
export class Backlog {
  readonly issues: readonly BacklogIssue[]
  readonly #byId: ReadonlyMap<string, BacklogIssue>
  #waiting: readonly Waiting[]

  constructor(file?: string) {
    this.issues = readBacklog(file)
    this.#byId = new Map(this.issues.map(issue => [issue.id, issue]))
    this.#waiting = waitingOf(this.work)
  }

  /** Forgets dependencies that a board cannot hold. */
  leaveOut(left: readonly Waiting[]): void {
    const gone = new Set(left.map(pair => pair.join(' ')))
    this.#waiting = this.#waiting.filter(pair => !gone.has(pair.join(' ')))
  }

  issue = (id: string): BacklogIssue => this.#byId.get(id)!

  /** The issues that become cards. */
  get work(): BacklogIssue[] {
    return this.issues.filter(issue => issue.issue_type !== 'epic')
  }

  get epics(): BacklogIssue[] {
    return this.issues.filter(issue => issue.issue_type === 'epic')
  }

  isBug = (id: string): boolean => this.issue(id).issue_type === 'bug'

  isClosed = (id: string): boolean => this.issue(id).status === 'closed'

  /** The dependencies: which issue waits for which. */
  get waiting(): readonly Waiting[] {
    return this.#waiting
  }

  blockers = (id: string): string[] => this.#waiting.filter(([issue]) => issue === id).map(([, blocker]) => blocker)

  dependents = (id: string): string[] => this.#waiting.filter(([, blocker]) => blocker === id).map(([issue]) => issue)

  /** The work of an epic, without bugs; work with several epics counts for the first. */
  workOf = (epic: string): string[] =>
    childrenOf(this.work, epic)
      .map(({ id }) => id)
      .filter(id => this.epicOf(id) === epic)

  /** The epic that work belongs to; undefined for bugs and for work without an epic. */
  epicOf(id: string): string | undefined {
    if (this.isBug(id)) return undefined
    return this.issue(id)
      .dependencies.filter(link => link.type === 'parent-child')
      .map(link => link.depends_on_id)
      .find(parent => this.#byId.get(parent)?.issue_type === 'epic')
  }

  /** The number of chains with a given number of dependencies, counted by walking each of them. */
  chains(length: number): number {
    const walk = (id: string, left: number): number =>
      left === 0 ? 1 : this.blockers(id).reduce((sum, blocker) => sum + walk(blocker, left - 1), 0)
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
  textOf = (id: string): string => `${this.issue(id).title}\n${contentOf(this.issue(id))}`

  /** Title and first words of each issue that these distinguish: almost all of the words appear in no other text. */
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

  /** The largest group of issues with the same text, among those that one search can ask for and answer. */
  get doubles(): { readonly text: string; readonly ids: readonly string[] } {
    const compared = (issue: BacklogIssue) => `${issue.title}\n${contentOf(issue).slice(0, comparedContent)}`
    const groups = [...Map.groupBy(this.issues, compared)].filter(([text]) => text.length <= 2_000)
    const answers = (issues: readonly BacklogIssue[]) =>
      issues.reduce((sum, { issue_type }) => sum + (issue_type === 'epic' ? 2 : 1), 0)
    const [text, issues] = most(
      groups.filter(([, members]) => answers(members) <= mostAnswers),
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

const contentOf = ({ description, notes }: BacklogIssue): string =>
  [description, notes].filter(text => text.trim() !== '').join('\n\n')

/** The item with the highest figure; the first of several. */
export const most = <Item>(items: readonly Item[], figure: (item: Item) => number): Item =>
  items.reduce((best, item) => (figure(item) > figure(best) ? item : best))
