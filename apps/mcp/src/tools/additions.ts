import { type AnyOperation, toolHints } from '@specboard/contract'
import { z } from 'zod'
import { answersAsRead, answersList } from './answers.ts'
import { Fields } from './field-paths.ts'
import { isRepeatable } from './repeatable.ts'

/** Default number of items in a list (mcp 9.3). */
export const defaultLimit = 50

/** Default number of characters in one slice of a text (mcp 10). */
export const defaultMaxChars = 20_000

const fields = Fields.optional()
const limit = z.int().min(1).max(200).default(defaultLimit)
const offset = z.int().min(0).default(0)

/** The arguments that tools add; no operation may use these names for anything else (mcp 8.2). */
export const reservedNames: readonly string[] = ['fields', 'full', 'clear', 'again', 'part', 'part_offset']

/** The source of an upload; exactly one of `text`, `content_base64` and `ticket` (mcp 10). */
const upload = {
  filename: z.string().min(1),
  mime_type: z.string().optional(),
  text: z.string().optional(),
  content_base64: z.string().optional(),
  ticket: z.boolean().default(false).describe('no content: answers an upload URL'),
}

/** The single file of an operation that accepts a list, in place of `files` (evidence 2). */
const oneOfFiles = { ...upload, filename: z.string().min(1).optional() }

const again = z.boolean().optional()

/** The tools that list the argument for an explicit second call; all others accept it too (crew 3). */
const showingAgain: ReadonlySet<string> = new Set(['create_card', 'create_comment', 'submit_task_validation'])

/** The reads whose answer is short unless requested in full (mcp 9.3, crew 8.7). */
const showsFull: ReadonlySet<string> = new Set(['get_my_permissions', 'get_allowed_moves'])

/**
 * Reads with a `full` argument that tool lists do not show: few calls want an agent with all of its permissions (crew
 * 7).
 */
const hidesFull: ReadonlySet<string> = new Set(['create_agent', 'get_agent'])

const full = z.boolean().default(false)

const againOf = ({ name }: AnyOperation): z.ZodType =>
  showingAgain.has(name) ? again.describe('a second one') : again.clone().register(toolHints, { hidden: true })

/** Where a truncated answer continues; only `more` mentions it, with its values (crew 1.7). */
const partly = {
  part: z.string().max(4_000).optional().register(toolHints, { hidden: true }),
  part_offset: z.int().min(0).optional().register(toolHints, { hidden: true }),
}

/** The arguments that a tool adds to those of its operation (mcp 8.2, 8.5, 9.3, 10). */
export function additionsOf(operation: AnyOperation, clearable: boolean): Readonly<Record<string, z.ZodType>> {
  const isList = answersList(operation)
  return {
    ...(operation.kind === 'upload' && upload),
    ...(operation.kind === 'files' && oneOfFiles),
    ...(operation.kind === 'file' && { max_chars: z.int().min(1).max(50_000).default(defaultMaxChars), offset }),
    ...(isList && !('limit' in operation.query) && { limit, offset }),
    ...(operation.kind !== 'file' && { fields }),
    ...(operation.kind !== 'file' && answersAsRead(operation) && partly),
    ...((isList || showsFull.has(operation.name)) && { full }),
    ...(hidesFull.has(operation.name) && { full: full.clone().register(toolHints, { hidden: true }) }),
    ...(isRepeatable(operation) && { again: againOf(operation) }),
    ...(clearable && { clear: z.array(z.string()).default([]) }),
  }
}
