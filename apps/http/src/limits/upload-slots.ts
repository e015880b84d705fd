import { AgentSlots, type IncomingFile, type WorkOwner } from '@specboard/domain'

/**
 * Limits the files that are received at once (trust 1, walls 4), at most half of them for one board (walls 7); the next
 * is refused.
 */
export class UploadSlots {
  readonly #slots = new AgentSlots({ ofAnAgent: 4, ofABoard: 8, ofAll: 16, maxWaitMs: 0, label: 'uploads' })

  /**
   * Runs a call with a file that takes its slot when the call begins to read it: by then the caller's permissions and
   * the board have been checked. The slot is released when the call ends.
   * @throws DomainError RATE_LIMITED when there is none, and whatever the call throws
   */
  async run<Value>(owner: WorkOwner, file: IncomingFile, call: (file: IncomingFile) => Promise<Value>): Promise<Value> {
    let release: (() => void) | undefined
    const open = () => {
      release = this.#slots.take(owner)
      return file.open()
    }
    try {
      return await call({ ...file, open })
    } finally {
      release?.()
    }
  }
}
