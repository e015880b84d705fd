import { DomainError } from '@specboard/domain'

/** Uploads at once; the next is refused (trust 1). */
const mostUploads = 16

/** Lets so many uploads run at once. */
export class UploadSlots {
  #taken = 0

  /**
   * Runs an upload in a slot of its own.
   * @throws DomainError RATE_LIMITED when all slots are taken, before anything of the file is read
   */
  async run<Value>(upload: () => Promise<Value>): Promise<Value> {
    if (this.#taken >= mostUploads)
      throw new DomainError('RATE_LIMITED', 'Too many files are being uploaded. Send this one again in a second.', {
        retry_after: 1,
      })
    this.#taken++
    try {
      return await upload()
    } finally {
      this.#taken--
    }
  }
}
