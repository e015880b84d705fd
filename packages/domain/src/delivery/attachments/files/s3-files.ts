import { attachmentFolder, attachmentKey, keyPrefix } from './attachment-path.ts'
import {
  AbsentFile,
  type AttachmentFiles,
  type ByteRange,
  maxUploadMs,
  orAbsent,
  PresentFile,
  type StoredFile,
} from './files.ts'
import { Meter, piecesOf } from './meter.ts'
import type { S3Address } from './s3-address.ts'
import { type S3Client, tagIn, tagsIn } from './s3-client.ts'

/** The length of all parts of an upload but the last, bytes: S3 requires at least 5 MiB, and accepts 10,000 parts. */
const partBytes = 8 << 20

type Part = Buffer<ArrayBuffer>

/** Files removed at a time. */
const removedAtOnce = 8

/** Files of attachments in an S3 store, under the paths that they would have in a data folder. */
export class S3Files implements AttachmentFiles {
  readonly name: string
  readonly #prefix: string
  readonly #client: S3Client
  readonly #clock: () => number

  constructor({ bucket, prefix }: S3Address, client: S3Client, clock: () => number) {
    this.name = `s3://${bucket}/${prefix}`
    this.#prefix = prefix
    this.#client = client
    this.#clock = clock
  }

  async put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
    const key = this.#key(path)
    if ((await this.size(path)) !== undefined) throw new PresentFile(path)
    const measured = new Meter(maxBytes)
    const upload = new Upload(this.#client, key)
    try {
      for await (const piece of piecesOf(measured.of(bytes), partBytes)) await upload.add(piece)
      await upload.end()
      return measured.end()
    } catch (error) {
      // If the store does not answer, the remainder is removed as unfinished later, or found without a record.
      await upload.abort().catch(() => {})
      throw error
    }
  }

  /** @throws UnsafePath for a path that is not an attachment's */
  #key(path: string): string {
    return this.#prefix + attachmentKey(path)
  }

  async size(path: string): Promise<number | undefined> {
    const answer = await orAbsent(async () => this.#client.send({ method: 'HEAD', key: this.#key(path) }))
    return answer === undefined ? undefined : Number(answer.headers.get('content-length'))
  }

  async *read(path: string, { from = 0, to }: ByteRange = {}): AsyncGenerator<Uint8Array> {
    if (to !== undefined && from >= to) return
    const isWhole = from === 0 && to === undefined
    const answer = await this.#client.send({
      method: 'GET',
      key: this.#key(path),
      ...(!isWhole && { headers: { range: `bytes=${from}-${to === undefined ? '' : to - 1}` } }),
    })
    if (answer === undefined) throw new AbsentFile(path)
    if (answer.body !== null) yield* answer.body
  }

  async remove(path: string): Promise<void> {
    await orAbsent(async () => this.#client.send({ method: 'DELETE', key: this.#key(path) }))
  }

  async removeAll(boardId: string): Promise<void> {
    let waiting: Promise<void>[] = []
    for await (const path of this.paths(boardId)) {
      waiting.push(this.remove(path))
      if (waiting.length < removedAtOnce) continue
      await Promise.all(waiting)
      waiting = []
    }
    await Promise.all(waiting)
  }

  async *paths(boardId?: string): AsyncGenerator<string> {
    const prefix = keyPrefix(boardId)
    if (prefix === undefined) return
    for (let after: string | undefined; ; ) {
      const page = await this.#bucket({
        'list-type': '2',
        prefix: this.#prefix + prefix,
        ...(after !== undefined && { 'continuation-token': after }),
      })
      for (const key of tagsIn(page, 'Key')) yield key.slice(this.#prefix.length)
      after = tagIn(page, 'NextContinuationToken')
      if (after === undefined) return
    }
  }

  async removeUnfinished(): Promise<void> {
    const page = await this.#bucket({ uploads: '', prefix: `${this.#prefix}${attachmentFolder}/` })
    const keys = tagsIn(page, 'Key')
    const ids = tagsIn(page, 'UploadId')
    for (const [index, startedAt] of tagsIn(page, 'Initiated').entries())
      if (Date.parse(startedAt) < this.#clock() - maxUploadMs)
        await this.#client.send({ method: 'DELETE', key: keys[index]!, query: { uploadId: ids[index]! } })
  }

  async #bucket(query: Readonly<Record<string, string>>): Promise<string> {
    return (await this.#client.send({ method: 'GET', query }))!.text()
  }
}

/** An upload in parts; a single part is sent as one request. */
class Upload {
  readonly #client: S3Client
  readonly #key: string
  readonly #tags: string[] = []
  #first: Part | undefined
  #id: string | undefined
  #isEnding = false

  constructor(client: S3Client, key: string) {
    this.#client = client
    this.#key = key
  }

  async add(part: Part): Promise<void> {
    if (this.#id !== undefined) return this.#send(part)
    if (this.#first === undefined) {
      this.#first = part
      return
    }
    this.#id = tagIn(await this.#post({ uploads: '' }), 'UploadId')
    const first = this.#first
    this.#first = undefined
    await this.#send(first)
    await this.#send(part)
  }

  /** Everything is durable afterwards. */
  async end(): Promise<void> {
    this.#isEnding = true
    if (this.#id === undefined) {
      await this.#client.send({ method: 'PUT', key: this.#key, body: this.#first! })
      return
    }
    const parts = this.#tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const answer = await this.#post({ uploadId: this.#id }, Buffer.from(list))
    // The answer begins before the parts are assembled, so its status cannot report a failure.
    if (tagIn(answer, 'ETag') === undefined)
      throw this.#client.failed(new Error(`an upload was not completed: ${tagIn(answer, 'Code')}`))
  }

  /** Removes what was sent. */
  async abort(): Promise<void> {
    const key = this.#key
    if (this.#id !== undefined) await this.#client.send({ method: 'DELETE', key, query: { uploadId: this.#id } })
    if (this.#isEnding) await this.#client.send({ method: 'DELETE', key })
  }

  async #send(body: Part): Promise<void> {
    const query = { partNumber: String(this.#tags.length + 1), uploadId: this.#id! }
    const answer = await this.#client.send({ method: 'PUT', key: this.#key, query, body })
    this.#tags.push(answer!.headers.get('etag') ?? '')
  }

  async #post(query: Readonly<Record<string, string>>, body: Part = Buffer.alloc(0)): Promise<string> {
    return (await this.#client.send({ method: 'POST', key: this.#key, query, body }))!.text()
  }
}
