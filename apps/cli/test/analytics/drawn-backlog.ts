import type { Roll } from './drawn-use.ts'

const statuses = ['open', 'open', 'in_progress', 'blocked', 'closed']
const types = ['task', 'task', 'bug', 'feature', 'chore']

/** A small beads file: epics with work that waits for other work, some of it done. */
export function drawnBacklog(roll: Roll): File {
  const issues: object[] = []
  const ids: string[] = []
  for (let epic = 0; epic < 2 + roll(3); epic++) {
    const parent = `b-${epic}`
    issues.push({ ...issueOf(parent, roll), issue_type: 'epic' })
    for (let child = 1; child <= 1 + roll(4); child++) {
      const id = `${parent}.${child}`
      const awaited = ids.length > 0 && roll(2) === 0 ? ids[roll(ids.length)] : undefined
      const dependencies = [
        { issue_id: id, depends_on_id: parent, type: 'parent-child' },
        ...(awaited === undefined ? [] : [{ issue_id: id, depends_on_id: awaited, type: 'blocks' }]),
      ]
      issues.push({ ...issueOf(id, roll), dependencies })
      ids.push(id)
    }
  }
  return new File([issues.map(issue => JSON.stringify(issue)).join('\n')], 'issues.jsonl')
}

function issueOf(id: string, roll: Roll) {
  const at = new Date(Date.UTC(2026, roll(6), 1 + roll(28))).toISOString()
  const status = statuses[roll(statuses.length)]!
  return {
    id,
    title: `Issue ${id}`,
    description: 'What is to be done.',
    status,
    priority: roll(5),
    issue_type: types[roll(types.length)]!,
    created_at: at,
    updated_at: at,
    ...(status === 'closed' && { closed_at: at }),
    ...(roll(3) === 0 && { assignee: `person-${roll(3)}` }),
  }
}
