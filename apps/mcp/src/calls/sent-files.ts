/**
 * Files for operations that accept a list of files, in the forms in which tools accept one file (evidence 2, mcp 10).
 */
import type { AnyOperation } from '@specboard/contract'

type Arguments = Readonly<Record<string, unknown>>

/** Members for the one file that a tool accepts outside the list. */
const ofOneFile: ReadonlySet<string> = new Set(['text', 'content_base64', 'mime_type'])

/**
 * Arguments with their single file as a list. For a ticket, whose file is not known yet, the list contains an empty
 * one.
 */
export function withFileList(operation: AnyOperation, args: Arguments): Arguments {
  if (operation.kind !== 'files' || args.files !== undefined) return args
  const { text, content_base64, filename, ticket } = args
  if (ticket === true) return { ...args, files: [{ name: nameOf(filename), text: '' }] }
  if (text == null && content_base64 == null) return args
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !ofOneFile.has(name)))
  const file = {
    name: nameOf(filename),
    ...(text != null && { text }),
    ...(content_base64 != null && { content_base64 }),
  }
  return { ...rest, files: [file] }
}

const nameOf = (filename: unknown): string =>
  typeof filename === 'string' && filename !== '' ? filename.slice(0, 255) : 'report'
