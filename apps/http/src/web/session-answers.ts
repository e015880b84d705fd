/** Shared by the routes with which a browser signs in. */
import { issueItems } from '@specboard/contract'
import { DomainError, InvalidInput } from '@specboard/domain'
import type { z } from 'zod'
import type { HttpContext } from '../http-env.ts'
import { addressOf } from '../middleware/address.ts'
import { withBody } from '../received-body.ts'
import type { Visitor } from '../sessions/sessions.ts'

/** The maximum size of a sign-in body, bytes (walls 4). */
const maxSignInBytes = 2_048

/**
 * The body of a sign-in request.
 * @throws InvalidInput
 */
export async function parsedBody<Body>(
  c: HttpContext,
  schema: z.ZodType<Body>,
  maxBytes = maxSignInBytes,
): Promise<Body> {
  const text = await withBody(c, maxBytes, async bytes => Buffer.from(bytes).toString())
  const body = jsonOf(text)
  const { data, error } = schema.safeParse(body)
  if (error !== undefined) throw new InvalidInput(issueItems('body', schema, error.issues, body))
  return data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const noStore = { 'cache-control': 'no-store' }

/** Where a request comes from. */
export const visitorOf = (c: HttpContext): Visitor => ({
  address: addressOf(c),
  userAgent: c.req.header('user-agent') ?? '',
})

/** Refuses a request made by another page. */
export const foreign = () => new DomainError('FORBIDDEN', 'Only a page of this service may sign in or out here.')
