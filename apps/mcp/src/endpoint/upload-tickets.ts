import { maxBodyBytes, operationByName } from '@specboard/contract'
import {
  type Answer,
  type Caller,
  DomainError,
  type IncomingFile,
  type Service,
  StoredSecret,
  UsedTickets,
} from '@specboard/domain'
import { hashOfToken } from './session-token.ts'
import { issueTicketToken, readTicketToken, type TicketClaim, ticketLifeMs } from './ticket-token.ts'

/** A ticket for one file. */
export interface IssuedToken {
  readonly token: string
  /** ms since 1970. */
  readonly expiresAt: number
}

/** What an upload with a ticket needs. */
export interface TicketUpload {
  /** Reads the body up to the file; called only if the ticket is valid. */
  readonly readFile: () => Promise<IncomingFile>
  /** Runs a call with its file once there is a slot for it. */
  readonly receive: (
    caller: Caller,
    file: IncomingFile,
    call: (file: IncomingFile) => Promise<Answer>,
  ) => Promise<Answer>
  /** Called with the agent of the ticket. */
  readonly seen: (caller: Caller) => void
}

/**
 * Signed, single-use permissions to upload a file without a key (mcp 10). A ticket is its token: it survives a restart,
 * and only used tickets have a row, until they expire.
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

  /**
   * Issues a ticket for a file; the caller has checked that the agent may upload it.
   * @param keyHash of the agent's key, or its substitute; the ticket is valid no longer than that
   */
  async issue(claim: Omit<TicketClaim, 'expiresAt'>, keyHash: string): Promise<IssuedToken> {
    const expiresAt = this.#service.environment.clock() + ticketLifeMs
    return { token: issueTicketToken(await this.#secret.read(), keyHash, { ...claim, expiresAt }), expiresAt }
  }

  /**
   * Uploads the file of a ticket; the ticket stays valid if the upload is refused.
   * @throws DomainError NOT_FOUND for an invalid ticket or one whose key is no longer valid; the errors of the upload;
   * whatever `readFile` throws
   */
  async redeem(token: string, { readFile, receive, seen }: TicketUpload): Promise<Answer> {
    const ticket = readTicketToken(token)
    if (ticket === undefined || ticket.claim.expiresAt <= this.#service.environment.clock()) throw noTicket()
    const { agentId, operation: name, params, query, filename, mimeType, expiresAt } = ticket.claim
    const operation = operationByName.get(name)
    if (operation?.kind !== 'upload' && operation?.kind !== 'files') throw noTicket()
    const secret = await this.#secret.read()
    const agent = await this.#service.agent(agentId)
    const keyHash = agent?.keyHashes.find(signed => ticket.isSigned(secret, signed))
    if (agent === undefined || keyHash === undefined) throw noTicket()
    const caller: Caller = { ...agent.caller, proof: { keyHash } }
    seen(caller)
    const hash = hashOfToken(token)
    // The ticket is used up before its file is received, so that one of two concurrent uploads is refused.
    if (!(await this.#used.use(hash, expiresAt))) throw noTicket()
    try {
      const call = { operation, caller, input: { params, query, body: undefined }, origin: 'mcp' } as const
      // Callers that may no longer upload are refused before any part of the file is awaited.
      await this.#service.check(call)
      const upload = await readFile()
      const named: IncomingFile = { filename, mimeType: mimeType ?? upload.mimeType, open: () => upload.open() }
      return await receive(caller, named, async file =>
        this.#service.perform(
          operation.kind === 'upload'
            ? { ...call, input: { ...call.input, file } }
            : { ...call, input: { ...call.input, body: { files: [await inFull(file)] } } },
        ),
      )
    } catch (error) {
      await this.#used.release(hash)
      throw error
    }
  }
}

/** A file in the form for operations that accept a list. */
async function inFull({ filename, open }: IncomingFile): Promise<{ name: string; content_base64: string }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of open()) {
    size += part.byteLength
    if (size > maxBodyBytes)
      throw new DomainError('PAYLOAD_TOO_LARGE', `The file has more than ${maxBodyBytes} bytes.`, {
        max_bytes: maxBodyBytes,
      })
    parts.push(part)
  }
  return { name: filename.slice(0, 255), content_base64: Buffer.concat(parts).toString('base64') }
}

const noTicket = () =>
  new DomainError('NOT_FOUND', 'The ticket is invalid, was used or has expired. Ask the tool for another.')
