import { createHash } from 'node:crypto'
import type { StoredRow } from './tables.ts'

/** Sums are kept within this many bits. */
const bits = 128

/**
 * The checksum of a table: the sum of the hashes of its rows. It does not depend on their order, which differs between
 * databases, and detects duplicate rows.
 */
export class Checksum {
  readonly #columns: readonly string[]
  #sum = 0n
  #rows = 0

  /** @param columns in an order that does not depend on the database */
  constructor(columns: readonly string[]) {
    this.#columns = columns
  }

  add(rows: readonly StoredRow[]): void {
    for (const row of rows) {
      const text = JSON.stringify(this.#columns.map(column => comparable(row[column])))
      const hash = createHash('sha256').update(text).digest('hex')
      this.#sum = BigInt.asUintN(bits, this.#sum + BigInt(`0x${hash.slice(0, bits / 4)}`))
    }
    this.#rows += rows.length
  }

  get rows(): number {
    return this.#rows
  }

  /** 32 hexadecimal digits. */
  get text(): string {
    return this.#sum.toString(16).padStart(bits / 4, '0')
  }
}

const comparable = (value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : (value ?? null)
