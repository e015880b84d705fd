/** Multipart bodies with several `file` parts, for operations that accept a list of files (evidence 2). */
import { type AnyOperation, issueItem, maxBodyBytes } from '@specboard/contract'
import type { HttpContext } from './http-env.ts'
import type { ReadBody } from './json-body.ts'
import { withBody } from './received-body.ts'

/** Maximum number of files in a body. */
const maxFiles = 500

/** Maximum number of characters of the name of a file. */
const maxNameLength = 255

/** Whether a call sends a form. */
export const sendsForm = (c: HttpContext): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')

/**
 * Reads the files of a form as the body that JSON would have.
 * @throws DomainError PAYLOAD_TOO_LARGE, BUSY
 */
export const readFormFiles = (c: HttpContext, limit = maxBodyBytes): Promise<ReadBody> =>
  withBody(c, limit, async bytes => {
    const form = await formOf(c, bytes)
    if (form === undefined) return fault([], 'The form is malformed, or ends early.')
    const files: { readonly name: string; readonly content_base64: string }[] = []
    for (const [name, part] of form) {
      if (name !== 'file' || typeof part === 'string')
        return fault(
          [name.slice(0, maxNameLength)],
          'Send only parts named file, with a filename; all else in the query.',
        )
      const content_base64 = Buffer.from(await part.arrayBuffer()).toString('base64')
      files.push({ name: part.name.slice(0, maxNameLength) || 'file', content_base64 })
    }
    if (files.length === 0) return fault(['file'], 'Send multipart/form-data with parts named file.', 'missing')
    if (files.length > maxFiles) return fault(['file'], `must have at most ${maxFiles} parts`, 'too_long')
    return { ok: true, value: { files }, large: true }
  })

const fault = (path: readonly string[], message: string, type = 'value_error'): ReadBody => ({
  ok: false,
  items: [issueItem(['body', ...path], type, message)],
})

async function formOf(c: HttpContext, bytes: Uint8Array): Promise<FormData | undefined> {
  const headers = { 'content-type': c.req.header('content-type') ?? '' }
  try {
    return await new Response(Buffer.from(bytes), { headers }).formData()
  } catch {
    return undefined
  }
}

/** A JSON body, and the query with the members of the body besides `files`: in JSON both are arguments. */
export function withArgumentsOfBody(
  operation: AnyOperation,
  { query, body }: { readonly query: Readonly<Record<string, unknown>>; readonly body: unknown },
): { readonly query: Readonly<Record<string, unknown>>; readonly body: unknown } {
  if (operation.kind !== 'files' || typeof body !== 'object' || body === null || Array.isArray(body))
    return { query, body }
  const members = Object.entries(body)
  const own = members.filter(([name]) => Object.hasOwn(operation.query, name))
  const parameters = own.filter(([, value]) => value !== null).map(([name, value]) => [name, asText(value)] as const)
  return {
    query: { ...query, ...Object.fromEntries(parameters) },
    body: Object.fromEntries(members.filter(([name]) => !Object.hasOwn(operation.query, name))),
  }
}

/** A list of words in the form used in a query. */
const asText = (value: unknown): unknown =>
  Array.isArray(value) && value.every(word => typeof word === 'string') ? value.join() : value
