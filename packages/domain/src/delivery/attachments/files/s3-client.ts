import { createHash } from 'node:crypto'
import { StorageError } from '@specboard/storage'
import { AwsClient } from 'aws4fetch'
import type { S3Address, S3Credentials } from './s3-address.ts'

/** How long the store may take to start answering, ms. */
const answerMs = 60_000

/** How often a request is retried when the store was too busy. */
const retries = 2

/** A request to the store. */
export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of an object; undefined for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer<ArrayBuffer>
}

/** Sends signed requests to one bucket. */
export class S3Client {
  readonly #address: S3Address
  readonly #credentials: () => Promise<S3Credentials>
  readonly #onFault: (error: Error) => void
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  /** @param onFault called with the reason why the store failed: callers learn only that it did */
  constructor(address: S3Address, credentials: () => Promise<S3Credentials>, onFault: (error: Error) => void) {
    this.#address = address
    this.#credentials = credentials
    this.#onFault = onFault
  }

  /**
   * The store's answer; undefined if what is read or deleted does not exist.
   * @throws StorageError UNREACHABLE if the store does not answer, or refuses
   */
  async send(request: S3Request): Promise<Response | undefined> {
    const { method, key } = request
    try {
      const answer = await this.#answer(request)
      if (answer.ok) return answer
      const fault = tagIn(await answer.text(), 'Code') ?? String(answer.status)
      if (answer.status !== 404) throw new Error(`${method} ${key ?? ''} failed with ${answer.status} ${fault}`)
      if (fault === 'NoSuchBucket' || key === undefined) throw new Error('the bucket is missing')
      if (method === 'PUT' || method === 'POST') throw new Error(`${method} ${key} failed with ${fault}`)
      // A HEAD does not say what is missing: a missing bucket would look like a missing file.
      if (method === 'HEAD') await this.send({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } })
      return undefined
    } catch (error) {
      throw error instanceof StorageError ? error : this.failed(error)
    }
  }

  async #answer({ method, key = '', query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const { url, region } = this.#address
    const client = new AwsClient({
      ...(await this.#credentials()),
      region,
      service: 's3',
      retries,
      cache: this.#signingKeys,
    })
    const target = new URL(`${url}/${key.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    // The time limit applies to the start of the answer: reading the body takes as long as its reader.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`the store did not answer within ${answerMs} ms`)), answerMs)
    try {
      return await client.fetch(target.href, {
        method,
        headers: {
          ...headers,
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
        },
        signal: late.signal,
        ...(body !== undefined && { body }),
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** The error that callers get for a failure; the reason goes only to `onFault`. */
  failed(error: unknown): StorageError {
    const why = error instanceof Error ? error : new Error(String(error))
    const { url } = this.#address
    this.#onFault(new Error(`The S3 store at ${url} failed: ${why.message}`, { cause: error }))
    return new StorageError(
      'UNREACHABLE',
      'The attachment store cannot be reached. Send the request again in a moment.',
      { cause: error },
    )
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
}

/** The texts of all elements of a name that contain only text; those of S3 have no attributes. */
export const tagsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    text!.replaceAll(/&(#?\w+);/g, (whole, entity: string) => entities[entity] ?? whole),
  )

/** The text of the first such element. */
export const tagIn = (xml: string, name: string): string | undefined => tagsIn(xml, name)[0]
