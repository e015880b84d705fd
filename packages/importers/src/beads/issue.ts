import { z } from 'zod'
import { type Entry, type Place, Unreadable } from '../neutral.ts'

const text = z.string().nullish()

const Link = z.looseObject({ issue_id: text, depends_on_id: z.string(), type: z.string(), created_at: text })

const Remark = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  author: text,
  text: z.string(),
  created_at: text,
})

/** A line of a beads file: what is read of it; other fields stay beside (exchange 2.2). */
export const Issue = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  issue_type: z.string().nullish(),
  status: z.string().nullish(),
  priority: z.number().nullish(),
  ephemeral: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
  parent: text,
  labels: z.array(z.string()).nullish(),
  dependencies: z.array(Link).nullish(),
  comments: z.array(Remark).nullish(),
})

export type Issue = z.output<typeof Issue>

export type Link = z.output<typeof Link>

/** An issue and its line. */
export interface Placed {
  readonly issue: Issue
  readonly place: Place
}

/** The issue in a line. @throws Unreadable */
export function issueOf(line: string, place: Place): Issue {
  const parsed = Issue.safeParse(jsonOf(line, place))
  if (parsed.success) return parsed.data
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues
  throw new Unreadable(`The line is no issue of beads: ${path.join('.') || 'the line'}: ${message}.`, place)
}

function jsonOf(line: string, place: Place): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Unreadable('The line is not JSON.', place)
  }
}

/** Whether the first line of a file is an issue. */
export function looksLikeIssues({ name, text }: Entry): boolean {
  if (text === null || (name !== null && !name.endsWith('.jsonl'))) return false
  const [first] = firstLine(text)
  try {
    return Issue.safeParse(JSON.parse(first)).success
  } catch {
    return false
  }
}

const firstLine = (text: string): [string] => [/^\uFEFF?\s*(.*)/.exec(text)?.[1] ?? '']
