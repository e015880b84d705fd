/** The types that all calls of the service share. They are published unchanged. */

/**
 * One page of a list, and how many items the whole list has.
 *
 * @example
 * // A page may be shorter than the list: compare `items.length` with `total`.
 * const { items, total } = await client.listIdeations({ board_id, limit: 50, offset: 0 })
 */
export interface Listed<Item> {
  readonly items: Item[]
  readonly total: number
}

/**
 * Options of one call.
 *
 * @example
 * // The key must be the same in the retry, or the card is created twice.
 * const idempotencyKey = crypto.randomUUID()
 * const create = () => client.createCard({ board_id, spec_id, title: 'Log in' }, { idempotencyKey })
 * const card = await create().catch(create)
 */
export interface CallOptions {
  /** Called with the response of a successful call, for its headers: the `ETag` for {@link ifMatch}. */
  readonly answered?: (response: Response) => void
  /** The `ETag` of a read: the call is refused with 412 if the record has changed since. */
  readonly ifMatch?: string
  /** Calls with the same key run once; a repeated call gets the first response. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** The service that a client calls, and the key it uses. */
export interface ClientOptions {
  /** Base address of the service, such as `http://127.0.0.1:8100`. */
  readonly url: string
  /** Without a key, `fetch` has to authenticate the caller. */
  readonly key?: string
  /** Makes the requests; by default the platform's `fetch`. */
  readonly fetch?: (address: URL, request: RequestInit) => Promise<Response>
}

/**
 * A refused call: its status and the `detail` that says what is missing.
 *
 * @example
 * try {
 *   await client.moveCard({ card_id, target_status: 'done' })
 * } catch (error) {
 *   if (!(error instanceof ClientError) || error.code !== 'VALIDATION_REQUIRED') throw error
 *   // error.status is 409, error.detail lists what is missing
 * }
 */
export class ClientError extends Error {
  readonly status: number
  readonly detail: unknown
  /** Suggested next operations, most useful first. */
  readonly nextActions: readonly unknown[]

  constructor(operation: string, status: number, detail: unknown, nextActions: readonly unknown[] = []) {
    super(`${operation} answered ${status}: ${messageOf(detail)}`)
    this.name = 'ClientError'
    this.status = status
    this.detail = detail
    this.nextActions = nextActions
  }

  /** The error code; undefined for a 422, whose `detail` is a list of faults. */
  get code(): string | undefined {
    const { detail } = this
    return typeof detail === 'object' && detail !== null && 'error' in detail && typeof detail.error === 'string'
      ? detail.error
      : undefined
  }
}

function messageOf(detail: unknown): string {
  if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message)
  return JSON.stringify(detail)
}
