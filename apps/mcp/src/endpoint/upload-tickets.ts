import { operationByName } from '@specboard/contract'
import {
  type Answer,
  type Call,
  type Caller,
  DomainError,
  type IncomingFile,
  type Service,
  StoredSecret,
  UsedTickets,
  unauthorized,
} from '@specboard/domain'
import { hashOfToken } from './session-token.ts'
import { issueTicketToken, readTicketToken, type TicketClaim, ticketLifeMs } from './ticket-token.ts'

/** A ticket for one file, by its agent. */
export interface IssuedToken {
  readonly token: string
  /** ms since 1970. */
  readonly expiresAt: number
}

/**
 * Signed, single-use permissions to upload a file without a key (mcp 10). A ticket is its token: it outlives a
 * restart, and only those that were used have a row until they expire.
 */
export class UploadTickets {
  readonly #service: Service
  readonly #secret: StoredSecret
  readonly #used: UsedTickets

  constructor(service: Service) {
    this.#service = service
    this.#secret = new StoredSecret(service, 'mcp_upload_tickets')
    this.#used = new UsedTickets(service)
  }

  /** Makes a ticket for a file of its agent; whether the agent may upload is settled before. */
  async issue(asked: Omit<TicketClaim, 'expiresAt'>): Promise<IssuedToken> {
    const expiresAt = this.#service.environment.clock() + ticketLifeMs
    const agent = await this.#service.agent(asked.agentId)
    if (agent === undefined) throw unauthorized()
    return { token: issueTicketToken(await this.#secret.read(), agent.keyHash, { ...asked, expiresAt }), expiresAt }
  }

  /**
   * Uploads the file of a ticket; one that is refused may be sent again.
   * @param seen told who the ticket is of
   * @throws DomainError NOT_FOUND of the ticket, also when its agent has another key by now, and those of the upload
   */
  async redeem(token: string, file: IncomingFile, seen: (caller: Caller) => void): Promise<Answer> {
    const ticket = readTicketToken(token)
    if (ticket === undefined || ticket.claim.expiresAt <= this.#service.environment.clock()) throw noTicket()
    const { agentId, boardId, cardId, filename, mimeType, expiresAt } = ticket.claim
    const agent = await this.#service.agent(agentId)
    if (agent === undefined || !ticket.isSigned(await this.#secret.read(), agent.keyHash)) throw noTicket()
    const { caller } = agent
    seen(caller)
    const hash = hashOfToken(token)
    // Before its file is taken: of two that come at once one is refused.
    if (!(await this.#used.use(hash, expiresAt))) throw noTicket()
    const named: IncomingFile = { filename, mimeType: mimeType ?? file.mimeType, open: () => file.open() }
    const params = { board_id: boardId, card_id: cardId }
    const input = { params, query: {}, body: undefined, file: named } as unknown as Call['input']
    try {
      return await this.#service.perform({ operation: operationByName.get('upload_attachment')!, caller, input })
    } catch (error) {
      await this.#used.release(hash)
      throw error
    }
  }
}

const noTicket = () =>
  new DomainError('NOT_FOUND', 'The ticket was used, has expired or is none. Ask upload_attachment for another.')
