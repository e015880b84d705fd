import { type Client, ClientError } from '@specboard/client'
import { type BacklogIssue, blockersOf, priorityOf } from '../backlog.ts'
import { inParallel } from '../in-parallel.ts'
import { progress } from '../progress.ts'

/** Requests at once. */
const atOnce = 16

/** The result of a load. */
export interface Loaded {
  readonly boardId: string
  /** Records and links that this load created; 0 when all of them existed. */
  readonly made: number
  /** Dependencies that were left out because they would close a cycle: the waiting issue and its blocker. */
  readonly leftOut: readonly Waiting[]
  /** The issues that the board's records represent, by the records' references (`card:<id>` and the like). */
  readonly issueOf: ReadonlyMap<string, string>
}

/** The id of an issue, and of one that it waits for. */
export type Waiting = readonly [issue: string, blocker: string]

const boardName = 'Backlog'
const mark = (id: string) => `issue:${id}`
const markOf = (labels: readonly string[] | null) =>
  labels?.find(label => label.startsWith('issue:'))?.slice('issue:'.length)

/** Labels of the records that represent no issue: the homes of work without an epic and of bugs without an origin. */
const homeless = 'home:work-without-epic'
const reported = 'home:reported-bugs'

const specStatus = (epic: BacklogIssue) => (epic.status === 'closed' ? 'done' : 'in_progress')
const cardStatus = ({ status }: BacklogIssue) =>
  status === 'closed'
    ? 'done'
    : status === 'in_progress' || status === 'hooked'
      ? 'in_progress'
      : status === 'pinned'
        ? 'on_hold'
        : 'not_started'

const labelsOf = (issue: BacklogIssue) =>
  [mark(issue.id), ...issue.labels.map(label => label.slice(0, 100))].slice(0, 50)

/** Loads a backlog into the caller's board "Backlog"; existing records are left unchanged. */
export async function loadBacklog(client: Client, issues: readonly BacklogIssue[]): Promise<Loaded> {
  let made = 0
  const boards = await client.listBoards({ view: 'my' })
  const settings = { require_test_task_for_bug: false, require_task_validation: false }
  const boardId =
    boards.items.find(board => board.name === boardName)?.id ??
    (await client.createBoard({ name: boardName, description: 'An imported backlog.', settings })).id

  const epics = issues.filter(issue => issue.issue_type === 'epic')
  const work = issues.filter(issue => issue.issue_type !== 'epic')
  const bar = progress('load', issues.length, () => ({ made }))

  const ideations = await present((await client.listIdeations({ board_id: boardId })).items)
  const specs = await present((await client.listSpecs({ board_id: boardId })).items)
  await inParallel(epics, atOnce, async epic => {
    const shared = {
      board_id: boardId,
      title: epic.title.slice(0, 500),
      description: epic.description || null,
      labels: labelsOf(epic),
      assignee_id: epic.assignee ?? null,
    }
    const ideation_id = ideations.get(epic.id) ?? (await once(client.createIdeation(shared))).id
    ideations.set(epic.id, ideation_id)
    const spec_id =
      specs.get(epic.id) ?? (await once(client.createSpec({ ...shared, ideation_id, status: specStatus(epic) }))).id
    specs.set(epic.id, spec_id)
    bar.step()
  })
  const home =
    specs.get(homeless) ??
    (
      await client.createSpec({
        board_id: boardId,
        title: 'Work without an epic',
        labels: [homeless],
        status: 'in_progress',
      })
    ).id

  const { cards: stored } = await client.getBoard({ board_id: boardId })
  const cards = await present(stored)
  const origin =
    cards.get(reported) ??
    (
      await client.createCard({
        board_id: boardId,
        spec_id: home,
        title: 'Bugs reported from outside',
        labels: [reported],
      })
    ).id
  const specOf = (issue: BacklogIssue) =>
    issue.dependencies.flatMap(link =>
      link.type === 'parent-child' ? (specs.get(link.depends_on_id) ?? []) : [],
    )[0] ?? home
  await inParallel(work, atOnce, async issue => {
    if (!cards.has(issue.id)) cards.set(issue.id, await makeCard(issue))
    bar.step()
  })
  bar.end()

  const waiting = waitingOf(work)
  const stands = await inParallel(waiting, atOnce, async ([issue, blocker]) => {
    try {
      await once(client.addCardDependency({ card_id: cards.get(issue)!, depends_on_id: cards.get(blocker)! }))
      return true
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      if (error.code === 'DEPENDENCY_EXISTS') return true
      if (error.code === 'DEPENDENCY_CYCLE') return false
      throw error
    }
  })
  return {
    boardId,
    made,
    leftOut: waiting.filter((_, index) => !stands[index]),
    issueOf: new Map(
      Object.entries({ ideation: ideations, spec: specs, card: cards }).flatMap(([type, records]) =>
        [...records].map(([issue, id]) => [`${type}:${id}`, issue] as const),
      ),
    ),
  }

  async function once<Result>(call: Promise<Result>): Promise<Result> {
    const result = await call
    made++
    return result
  }

  /** Creates a card in the issue's state. A bug is created in `started` at the latest, and moved on with a report. */
  async function makeCard(issue: BacklogIssue): Promise<string> {
    const status = cardStatus(issue)
    const fields = {
      board_id: boardId,
      title: issue.title.slice(0, 500),
      description: issue.description || null,
      details: issue.notes || null,
      priority: priorityOf(issue),
      labels: labelsOf(issue),
      assignee_id: issue.assignee ?? null,
    }
    if (issue.issue_type !== 'bug')
      return (await once(client.createCard({ ...fields, spec_id: specOf(issue), status }))).id
    const bug = await once(
      client.createCard({
        ...fields,
        card_type: 'bug',
        origin_task_id: origin,
        severity: issue.priority <= 1 ? 'major' : 'minor',
        expected_behavior: 'As the issue says.',
        observed_behavior: issue.description.trim() || issue.title,
      }),
    )
    if (status !== 'not_started') {
      const report = {
        conclusion: 'Closed in the backlog that this was imported from.',
        completeness: 100,
        completeness_justification: 'Closed there.',
        drift: 0,
        drift_justification: 'Not known.',
      }
      await client.moveCard({ card_id: bug.id, target_status: status, ...(status === 'done' && report) })
    }
    return bug.id
  }
}

/** The records of a list that represent an issue or a home, by its id. */
async function present(
  records: readonly { readonly id: string; readonly labels: readonly string[] | null }[],
): Promise<Map<string, string>> {
  const entries = records.flatMap(record => {
    const id = markOf(record.labels) ?? record.labels?.find(label => label.startsWith('home:'))
    return id === undefined ? [] : [[id, record.id] as const]
  })
  return new Map(entries)
}

/** The distinct dependencies between cards that the file names. */
export function waitingOf(work: readonly BacklogIssue[]): Waiting[] {
  const ids = new Set(work.map(({ id }) => id))
  return work.flatMap(issue => [...new Set(blockersOf(issue, ids))].map((blocker): Waiting => [issue.id, blocker]))
}
