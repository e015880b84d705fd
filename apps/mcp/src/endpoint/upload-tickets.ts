import { randomBytes } from 'node:crypto'
import { type Answer, type Call, type Caller, DomainError, type IncomingFile, type Service } from '@specboard/domain'

/** How long a ticket lasts, ms (mcp 10). */
const lifeMs = 600_000

/** What a ticket is for: one file under one name, by the agent of one key. */
interface Ticket {
  readonly call: Pick<Call, 'operation' | 'input' | 'within'>
  /** Judged again when the file comes: the key may be gone by then. */
  readonly key: string
  readonly filename: string
  readonly mimeType: string | null
  /** ms since 1970. */
  readonly expiresAt: number
}

/** Single-use permissions to upload a file without a key; they end with the process. */
export class UploadTickets {
  readonly #service: Service
  /** By secret token, the oldest first. */
  readonly #tickets = new Map<string, Ticket>()

  constructor(service: Service) {
    this.#service = service
  }

  /** Makes a ticket. */
  issue(ticket: Omit<Ticket, 'expiresAt'>): { readonly token: string; readonly expiresAt: number } {
    const now = this.#service.environment.clock()
    for (const [token, { expiresAt }] of this.#tickets) {
      if (expiresAt > now) break
      this.#tickets.delete(token)
    }
    const token = randomBytes(32).toString('base64url')
    const expiresAt = now + lifeMs
    this.#tickets.set(token, { ...ticket, expiresAt })
    return { token, expiresAt }
  }

  /**
   * Uploads the file of a ticket; one that is refused may be sent again.
   * @param seen told who the ticket is of
   * @throws DomainError NOT_FOUND of the ticket, and those of the upload
   */
  async redeem(token: string, file: IncomingFile, seen: (caller: Caller) => void): Promise<Answer> {
    const ticket = this.#tickets.get(token)
    this.#tickets.delete(token)
    if (ticket === undefined || ticket.expiresAt <= this.#service.environment.clock())
      throw new DomainError('NOT_FOUND', 'The ticket was used or has expired. Ask upload_attachment for another.')
    try {
      const caller = await this.#service.authenticate(ticket.key)
      seen(caller)
      const { filename, mimeType, call } = ticket
      const named: IncomingFile = { filename, mimeType: mimeType ?? file.mimeType, open: () => file.open() }
      return await this.#service.perform({ ...call, caller, input: { ...call.input, file: named } as Call['input'] })
    } catch (error) {
      this.#tickets.set(token, ticket)
      throw error
    }
  }
}
