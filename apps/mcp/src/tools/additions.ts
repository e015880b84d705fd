import type { AnyOperation } from '@specboard/contract'
import { z } from 'zod'
import { answersList } from './answers.ts'
import { Fields } from './field-paths.ts'

/** Items of a list unless `limit` says otherwise (mcp 9.3). */
export const defaultLimit = 50

/** Characters in one slice of a text unless `max_chars` says otherwise (mcp 10). */
export const defaultMaxChars = 20_000

const fields = Fields.optional()
const limit = z.int().min(1).max(200).default(defaultLimit)
const offset = z.int().min(0).default(0)

/** The arguments that tools add; no operation may use these names for anything else (mcp 8.2). */
export const reservedNames: readonly string[] = ['fields', 'full', 'clear']

/** The source of an upload; exactly one of `text`, `content_base64` and `ticket` (mcp 10). */
const upload = {
  filename: z.string().min(1),
  mime_type: z.string().optional(),
  text: z.string().optional(),
  content_base64: z.string().optional(),
  ticket: z.boolean().default(false).describe('no content: answers an upload URL'),
}

/** The arguments that a tool adds to those of its operation (mcp 8.2, 8.5, 9.3, 10). */
export function additionsOf(operation: AnyOperation, clearable: boolean): Readonly<Record<string, z.ZodType>> {
  const isList = answersList(operation)
  return {
    ...(operation.kind === 'upload' && upload),
    ...(operation.kind === 'file' && { max_chars: z.int().min(1).max(50_000).default(defaultMaxChars), offset }),
    ...(isList && !('limit' in operation.query) && { limit, offset }),
    ...(operation.kind !== 'file' && { fields }),
    ...((isList || operation.name === 'get_my_permissions') && { full: z.boolean().default(false) }),
    ...(clearable && { clear: z.array(z.string()).default([]) }),
  }
}
