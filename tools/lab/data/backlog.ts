import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** One issue of a beads backlog: a line of its JSONL file, reduced to what these tools use. */
export const BacklogIssue = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().default(''),
  design: z.string().default(''),
  acceptance_criteria: z.string().default(''),
  notes: z.string().default(''),
  status: z.string(),
  priority: z.number().default(2),
  issue_type: z.string().default('task'),
  assignee: z.string().optional(),
  labels: z.array(z.string()).default([]),
  created_at: z.string(),
  dependencies: z.array(z.object({ depends_on_id: z.string(), type: z.string() })).default([]),
})

/** One issue of a backlog. */
export type BacklogIssue = z.output<typeof BacklogIssue>

/** The sample backlog, in a folder next to the project. */
export const sampleBacklog = new URL('../../../../shared/data/beads/issues.jsonl', import.meta.url).pathname

/** Reads a beads JSONL file. Ends the tool with advice if the file is missing or a line is not an issue. */
export function readBacklog(file: string = sampleBacklog): BacklogIssue[] {
  if (!existsSync(file)) refuse(`There is no backlog at ${file}. Name a beads JSONL file as the argument.`)
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const parsed = BacklogIssue.safeParse(jsonOf(line))
      if (!parsed.success) refuse(`Line ${index + 1} of ${file} is not an issue: ${z.prettifyError(parsed.error)}`)
      return [parsed.data]
    })
}

/** The value of a JSON text; undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Ends the tool with a message and no stack trace, which would only hide it. */
function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}

/** The children of an issue, in the order of the file. */
export const childrenOf = (issues: readonly BacklogIssue[], id: string): BacklogIssue[] =>
  issues.filter(issue => issue.dependencies.some(link => link.type === 'parent-child' && link.depends_on_id === id))

/** The ids among `within` that an issue waits for. */
export const blockersOf = (issue: BacklogIssue, within: ReadonlySet<string>): string[] =>
  issue.dependencies
    .filter(link => link.type === 'blocks' && within.has(link.depends_on_id))
    .map(link => link.depends_on_id)

/** The card priority for a beads priority (0 is the highest). */
export const priorityOf = (issue: BacklogIssue): 'critical' | 'high' | 'medium' | 'low' | 'none' =>
  (['critical', 'high', 'medium', 'low'] as const)[issue.priority] ?? 'none'
