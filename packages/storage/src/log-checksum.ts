import { endianness } from 'node:os'

/** The running checksum of a log: two sums of 32 bits over pairs of words. */
export class LogChecksum {
  readonly #swapped: boolean
  #first = 0
  #second = 0

  /** @param swapped whether words are read in the other byte order than this machine's */
  constructor(swapped: boolean) {
    this.#swapped = swapped
  }

  /** Continues from a stored checksum. */
  set(first: number, second: number): void {
    this.#first = first | 0
    this.#second = second | 0
  }

  /** Adds an even number of words: all, or those of a range. */
  add(words: Uint32Array, from = 0, to = words.length): void {
    const swapped = this.#swapped
    let first = this.#first
    let second = this.#second
    for (let at = from; at < to; at += 2) {
      const left = words[at]!
      const right = words[at + 1]!
      first = (first + (swapped ? swap(left) : left) + second) | 0
      second = (second + (swapped ? swap(right) : right) + first) | 0
    }
    this.#first = first
    this.#second = second
  }

  equals(first: number, second: number): boolean {
    return this.#first === (first | 0) && this.#second === (second | 0)
  }
}

/** Whether checksums over big-endian, or little-endian, words are byte-swapped on this machine. */
export const isSwapped = (bigEndian: boolean): boolean => bigEndian !== (endianness() === 'BE')

const swap = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)
